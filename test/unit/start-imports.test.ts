import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

const source = resolve(import.meta.dirname, "../../src");

/** A statement that loads a file of ours or a package. Statements of types alone do not match. */
const statement = /^(?:import|export) (?!type )(?:[^;]*?from )?"([^"]+)";/gm;
/** One that loads it when it runs. */
const later = /\bimport\("([^"]+)"\)/g;

/**
 * Returns the files and packages that are loaded with this file. `alsoLater` includes what a file loads when it runs.
 */
function loadedWith(
  file: string,
  alsoLater: (file: string) => boolean = () => false,
  seen = new Set<string>(),
): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, "utf8");
  const found = [...text.matchAll(statement), ...(alsoLater(file) ? text.matchAll(later) : [])];
  for (const [, path = ""] of found) {
    if (path.startsWith(".")) loadedWith(join(dirname(file), path), alsoLater, seen);
    else seen.add(path);
  }
  return seen;
}

it("a start of `serve` over stdio loads no tool, pipeline or store", () => {
  const loaded = [...loadedWith(join(source, "app/commands/serve.ts"))].map((file) =>
    relative(source, file),
  );
  // Proves that the walk sees anything at all.
  expect(loaded).toContain(join("mcp", "server.ts"));
  expect(
    loaded.filter((file) => /^(?:tools|adapters|stores|calendar|ingest|review)\b/.test(file)),
  ).toEqual([]);
  expect(loaded).not.toContain(join("core", "call", "call.ts"));
});

it("a `serve` that is a follower loads no parser for any call", () => {
  const leading = join(source, "app/leader/serving-leader.ts");
  // A person who looks at mail in quarantine has it read.
  const review = join(source, "app/mail/mail-quarantine.ts");
  // A search of files reads documents.
  const search = join(source, "app/compose/open/lazy-file-index.ts");
  const loaded = loadedWith(
    join(source, "app/commands/serve.ts"),
    (file) => ![leading, review, search].includes(file),
  );
  const ours = [...loaded].map((file) => relative(source, file));
  expect(ours).toContain(join("tools", "email", "read-email.ts"));
  expect(ours.filter((file) => /^(?:ingest|intake)\b/.test(file))).toEqual([]);
  const parsers = ["postal-mime", "html-to-text", "unpdf", "fflate", "iconv-lite", "mailauth"];
  expect(parsers.filter((name) => [...loaded].some((one) => one.startsWith(name)))).toEqual([]);
  // Proves that they would be seen: as the leader it has all of them except those of the threads.
  const withRole = loadedWith(join(source, "app/compose/open/open-ingest.ts"));
  expect(withRole).toContain("postal-mime");
});

// Every server loaded the recurrence of reminders and Telegram's messages, also without Telegram. Then it loaded the
// approval page without an address for it, and the lists of frequent words before any call.
it("the call pipeline starts without the code of optional features", () => {
  const compose = join(source, "app/compose");
  const loaded = ["call-runtime.ts", "serve-http.ts"].flatMap((file) =>
    [...loadedWith(join(compose, file))].map((each) => relative(source, each)),
  );
  expect(loaded).toContain(join("core", "call", "call.ts"));
  const optional = [
    /^(?:calendar|assistant|adapters\/(?:caldav|libsql\/chat|llm|telegram))\b/,
    /^(?:review\/telegram\/(?!people)|review\/page\b)/,
    /^(?:adapters\/(?:oidc|jose|webauthn)|upstream\/(?!tool-name))\b/,
    /^(?:core\/flow\/(?:flow|reading\b)|adapters\/(?:fingerprints|libsql\/flow)\b)/,
  ];
  expect(loaded.filter((file) => optional.some((each) => each.test(file)))).toEqual([]);
});

// `chat` loaded the MCP SDK, which took a fifth of its start, although no client calls it over MCP.
it("a program that calls the tools itself starts without the MCP SDK", () => {
  const loaded = ["direct-calls.ts", "call-runtime.ts"].flatMap((file) => [
    ...loadedWith(join(source, "app/compose", file)),
  ]);
  expect(loaded).toContain(join(source, "core/call/call.ts"));
  expect(loaded.filter((one) => one.startsWith("@modelcontextprotocol/"))).toEqual([]);
});
