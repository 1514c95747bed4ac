import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Each file breaks one rule of the compiler's. Without the rule it would pass. */
const badFiles: [claim: string, name: string, source: string, code: string][] = [
  ["a parameter has a type", "bad-parameter.ts", "export const bad = (value) => value;", "TS7006"],
  [
    "a value that may be absent is checked before use",
    "bad-absent.ts",
    "export const bad: string = undefined;",
    "TS2322",
  ],
  [
    "an element of an array may be absent",
    "bad-index.ts",
    "export const bad = (list: string[]): string => list[0];",
    "TS2322",
  ],
  [
    "an optional field is left out, and not set to undefined",
    "bad-optional.ts",
    "export const bad: { field?: string } = { field: undefined };",
    "TS2375",
  ],
  [
    "a caught value has an unknown type",
    "bad-thrown.ts",
    'export const bad = (): string => {\n  try {\n    return "";\n  } catch (thrown) {\n    return thrown.message;\n  }\n};',
    "TS18046",
  ],
  [
    "every path of a function returns a result",
    "bad-return.ts",
    "export const bad = (value: boolean) => {\n  if (value) return 1;\n};",
    "TS7030",
  ],
  [
    "no case falls through to the next",
    "bad-case.ts",
    "export const bad = (value: number): number => {\n  let found = 0;\n  switch (value) {\n    case 1:\n      found = 1;\n    default:\n      return found;\n  }\n};",
    "TS7029",
  ],
  ["nothing is left over", "bad-unused.ts", "const left = 1;\nexport const bad = 2;", "TS6133"],
  ["types can be erased", "bad-enum.ts", "export enum Bad {\n  One,\n}", "TS1294"],
];

describe("the compiler", () => {
  let directory: string;
  let said: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "countersign-types-"));
    for (const file of ["tsconfig.json", "package.json"])
      cpSync(join(root, file), join(directory, file));
    symlinkSync(join(root, "node_modules"), join(directory, "node_modules"), "junction");
    mkdirSync(join(directory, "src"));
    writeFileSync(join(directory, "src", "good.ts"), "export const good: unknown = 1;\n");
    for (const [, name, source] of badFiles)
      writeFileSync(join(directory, "src", name), `${source}\n`);
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    said = await promisify(execFile)(
      process.execPath,
      [compiler, "--noEmit", "--pretty", "false"],
      {
        cwd: directory,
      },
    ).then(
      ({ stdout }) => stdout,
      // Exit code 2 is expected. The findings are on stdout.
      (error: { stdout: string }) => error.stdout,
    );
  }, 60_000);

  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(badFiles)("holds that %s", (_, name, __, code) => {
    const found = said.split("\n").filter((line) => line.startsWith(`src/${name}(`));
    expect(found.map((line) => /error (TS\d+)/.exec(line)?.[1])).toEqual([code]);
  });

  it("finds no fault in valid code", () => {
    expect(said).not.toContain("good.ts");
  });
});
