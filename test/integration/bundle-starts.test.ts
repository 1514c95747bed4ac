import { readFileSync, readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { packageFile } from "../../src/core/shared/program-root.ts";

const read = (file: string): string => readFileSync(packageFile(`bundle/${file}`), "utf8");

/** Returns the files of the bundle that are loaded with this one, by name. */
function loadedWith(file: string, found = new Map<string, string>()): ReadonlyMap<string, string> {
  if (found.has(file)) return found;
  const text = read(file);
  found.set(file, text);
  for (const [, next = ""] of text.matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g))
    loadedWith(next, found);
  return found;
}

/** Returns the file of the bundle that `main.js`, or a file loaded with it, imports for a command. */
function fileOf(command: string): string {
  const texts = [...loadedWith("main.js").values()].join("\n");
  // The bundler writes the names of such imports in backticks.
  const file = new RegExp(`import\\(["\`]\\./(${command}-\\w+\\.js)`).exec(texts)?.[1];
  if (file === undefined) throw new Error(`main.js imports no ${command}`);
  return file;
}

// Text that each of them contains.
const ajv = 'schema with key or id "';
const mcpClient = "StreamableHTTPClientTransport";
const telegram = "GrammyError";
const weights = "judgeLearned";

// Each start of these commands loaded and prepared code that it never ran: 15 to 100 ms of a processor.
it.each([
  ["serve", [ajv, mcpClient, telegram, weights]],
  ["doctor", [ajv, mcpClient, telegram]],
  ["servers", [ajv, mcpClient]],
  ["ingest", [ajv, weights]],
  ["import", [ajv, weights]],
] as const)("the start of %s loads only code that it runs", (command, others) => {
  const texts = [...loadedWith(fileOf(command)).values()];
  expect(texts.length).toBeGreaterThan(10);
  for (const other of others)
    expect({ other, loaded: texts.some((text) => text.includes(other)) }).toEqual({
      other,
      loaded: false,
    });
});

it.each([ajv, mcpClient, telegram, weights])("the bundle contains %s", (marker) => {
  const files = readdirSync(packageFile("bundle")).filter((file) => file.endsWith(".js"));
  expect(files.filter((file) => read(file).includes(marker))).not.toEqual([]);
});

// The JavaScript of the package took twice the processor time for the key of each backup.
it("the bundle derives keys with native code", () => {
  const files = readdirSync(packageFile("bundle")).filter((file) => file.endsWith(".js"));
  const having = (marker: string): string[] => files.filter((file) => read(file).includes(marker));
  expect(having("scryptSync(")).toHaveLength(1);
  expect(having("BlockMix")).toEqual([]);
});

it.each(["database-worker.js", "parse-worker.js"])("the thread %s loads few files", (file) => {
  expect(loadedWith(file).size).toBeLessThanOrEqual(4);
});

// The thread that parses mail prepared the code of calls, which took a fifth of its start.
it("the thread that parses mail loads no code of calls", () => {
  const texts = [...loadedWith("parse-worker.js").values()];
  expect(texts.some((text) => text.includes("approval_required"))).toBe(false);
});
