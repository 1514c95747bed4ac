import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

interface Diagnostic {
  code: string;
  filename: string;
  message: string;
}

/** Each file breaks one rule. They live in a directory of their own, so that no other run of the linter meets them. */
const badFiles: [claim: string, path: string, source: string, rule: string][] = [
  [
    "core imports no port",
    "src/core/bad-port.ts",
    'import type { Good } from "../ports/good.ts";\nexport type Bad = Good;',
    "boundaries(dependencies)",
  ],
  [
    "core imports no file system",
    "src/core/bad-node.ts",
    'import { rm } from "node:fs";\nexport const bad = rm;',
    "boundaries(dependencies)",
  ],
  [
    "core imports no vendor",
    "src/core/bad-vendor.ts",
    'import { createClient } from "@libsql/client";\nexport const bad = createClient;',
    "boundaries(dependencies)",
  ],
  [
    "a tool imports no adapter",
    "src/tools/files/bad-adapter.ts",
    'import { good } from "../../adapters/libsql/good.ts";\nexport const bad = good;',
    "boundaries(dependencies)",
  ],
  [
    "a tool imports no adapter when it runs either",
    "src/tools/files/bad-late.ts",
    'export const bad = () => import("../../adapters/libsql/good.ts");',
    "boundaries(dependencies)",
  ],
  [
    "a tool imports no node module",
    "src/tools/files/bad-node.ts",
    'import { join } from "node:path";\nexport const bad = join;',
    "boundaries(dependencies)",
  ],
  [
    "an adapter imports no other adapter",
    "src/adapters/s3/bad-adapter.ts",
    'import { good } from "../libsql/good.ts";\nexport const bad = good;',
    "boundaries(dependencies)",
  ],
  [
    "an adapter imports no other adapter's vendor",
    "src/adapters/s3/bad-vendor.ts",
    'import { createClient } from "@libsql/client";\nexport const bad = createClient;',
    "boundaries(dependencies)",
  ],
  [
    "an adapter knows no settings",
    "src/adapters/libsql/bad-config.ts",
    'import { good } from "../../config.ts";\nexport const bad = good;',
    "boundaries(dependencies)",
  ],
  [
    "a channel imports no tool",
    "src/mcp/bad-tool.ts",
    'import { good } from "../tools/files/good.ts";\nexport const bad = good;',
    "boundaries(dependencies)",
  ],
  [
    "ingest imports no file system",
    "src/ingest/bad-node.ts",
    'import { rm } from "node:fs/promises";\nexport const bad = rm;',
    "boundaries(dependencies)",
  ],
  [
    "a store imports no tool",
    "src/stores/bad-tool.ts",
    'import { good } from "../tools/files/good.ts";\nexport const bad = good;',
    "boundaries(dependencies)",
  ],
  [
    "a folder that nobody planned is an error",
    "src/utils/bad.ts",
    "export const bad = 1;",
    "boundaries(no-unknown-files)",
  ],
  [
    "two files do not import each other",
    "src/core/bad-cycle.ts",
    'import { other } from "./bad-cycle-other.ts";\nexport const bad = (): number => other();',
    "import(no-cycle)",
  ],
  [
    "two files do not import each other's types either",
    "src/core/bad-type-cycle.ts",
    'import type { Other } from "./bad-type-cycle-other.ts";\nexport type Bad = Other | undefined;',
    "import(no-cycle)",
  ],
  [
    "core starts threads in one file only",
    "src/core/bad-thread.ts",
    'import { Worker } from "node:worker_threads";\nexport const bad = Worker;',
    "boundaries(dependencies)",
  ],
  [
    "no file only re-exports others",
    "src/core/bad-barrel.ts",
    'export * from "./good.ts";',
    "oxc(no-barrel-file)",
  ],
  [
    "the environment is read in one place",
    "src/ports/bad-env.ts",
    "export const bad = process.env;",
    "node(no-process-env)",
  ],
  [
    "nothing but the commands writes to the console",
    "src/mcp/bad-console.ts",
    'console.log("bad");',
    "eslint(no-console)",
  ],
  [
    "nothing is of any type",
    "src/core/bad-any.ts",
    "export const bad = (value: any): unknown => value;",
    "typescript(no-explicit-any)",
  ],
  [
    "no error is swallowed",
    "src/core/bad-catch.ts",
    "try {\n  JSON.parse('');\n} catch {}",
    "eslint(no-empty)",
  ],
  [
    "no promise is left alone",
    "src/core/bad-promise.ts",
    "const later = async (): Promise<void> => {};\nlater();",
    "typescript(no-floating-promises)",
  ],
  [
    "no file is longer than 350 lines",
    "src/core/bad-length.ts",
    "export const bad = [\n" + "  1,\n".repeat(350) + "];",
    "eslint(max-lines)",
  ],
  [
    "file names are kebab-case",
    "src/core/badName.ts",
    "export const bad = 1;",
    "unicorn(filename-case)",
  ],
  [
    "tests replace no module of ours",
    "test/unit/bad-mock.test.ts",
    'import { vi } from "vitest";\nvi.mock("../../src/core/good.ts");',
    "vitest(no-restricted-vi-methods)",
  ],
];

const goodFiles: Record<string, string> = {
  "src/config.ts": 'import { z } from "zod";\nexport const good = z;',
  "src/main.ts": 'import { good } from "./config.ts";\nconsole.log(good);',
  "src/core/good.ts":
    'import { createHash } from "node:crypto";\nimport canonicalize from "canonicalize";\nimport { z } from "zod";\nexport const good = [createHash, canonicalize, z];',
  "src/core/bad-cycle-other.ts":
    'import { bad } from "./bad-cycle.ts";\nexport const other = (): number => bad();',
  "src/core/bad-type-cycle-other.ts":
    'import type { Bad } from "./bad-type-cycle.ts";\nexport type Other = { bad: Bad };',
  "src/ports/good.ts":
    'import type { good } from "../core/good.ts";\nexport type Good = typeof good;',
  "src/stores/good.ts":
    'import { createHash } from "node:crypto";\nimport type { Good } from "../ports/good.ts";\nexport const good = (value: Good): unknown => [value, createHash];',
  "src/tools/files/good.ts":
    'import { good as core } from "../../core/good.ts";\nimport type { Good } from "../../ports/good.ts";\nexport const good = (value: Good): unknown => [value, core];',
  "src/adapters/libsql/good.ts":
    'import { stat } from "node:fs/promises";\nimport { createClient } from "@libsql/client";\nimport { drizzle } from "drizzle-orm/libsql";\nexport const good = [stat, createClient, drizzle];',
  "src/app/good.ts":
    'import { good as tool } from "../tools/files/good.ts";\nimport { good as adapter } from "../adapters/libsql/good.ts";\nconsole.log(tool, adapter);',
};

describe("the linter", () => {
  let directory: string;
  let found: Diagnostic[];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "countersign-lint-"));
    for (const file of [".oxlintrc.json", "tsconfig.json", "package.json"])
      cpSync(join(root, file), join(directory, file));
    symlinkSync(join(root, "node_modules"), join(directory, "node_modules"), "junction");
    const files = [
      ...Object.entries(goodFiles),
      ...badFiles.map(([, path, source]) => [path, source] as const),
    ];
    for (const [path, source] of files) {
      mkdirSync(join(directory, dirname(path)), { recursive: true });
      writeFileSync(join(directory, path), `${source}\n`);
    }
    found = await lint(directory);
  }, 60_000);

  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(badFiles)("holds that %s", (_, path, __, rule) => {
    expect(found.filter(({ filename }) => filename === path).map(({ code }) => code)).toContain(
      rule,
    );
  });

  it("finds no fault in valid files", () => {
    const good = Object.keys(goodFiles).filter((path) => !path.includes("bad"));
    expect(found.filter(({ filename }) => good.includes(filename))).toEqual([]);
  });
});

async function lint(cwd: string): Promise<Diagnostic[]> {
  // The path of the program, not `npx`: that would look for a newer one.
  const oxlint = join(root, "node_modules/oxlint/bin/oxlint");
  const args = [oxlint, "--type-aware", "--format=json"];
  const output = await promisify(execFile)(process.execPath, args, {
    cwd,
    maxBuffer: 2 ** 24,
  }).then(
    ({ stdout }) => stdout,
    // Exit code 1 is expected. The findings are on stdout.
    (error: { stdout: string }) => error.stdout,
  );
  const { diagnostics } = JSON.parse(output) as { diagnostics: Diagnostic[] };
  return diagnostics;
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path.endsWith(".ts"));
}

const shown = (path: string): string => path.slice(root.length);

const exportedType = /^export (?:abstract )?(?:interface|type|class|enum) (\w+)/gm;

describe("every source file", () => {
  const sources = filesBelow("src");

  it("has a descriptive name", () => {
    const vague = /^(utils?|helpers?|common|managers?|services?|base)$/;
    // The name of a command.
    const service = /^src\/app\/(?:commands\/)?service(?=[/.])/;
    const words = (path: string): string[] =>
      shown(path).replace(service, "").replace(/\.ts$/, "").split(/[/-]/);
    const wrong = sources.filter(
      (path) =>
        basename(path) === "index.ts" ||
        words(path).some((word) => vague.test(word)) ||
        !/^[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(basename(path)),
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  it("has at most 350 lines", () => {
    const long = sources.filter((path) => readFileSync(path, "utf8").split("\n").length > 351);
    expect(long.map(shown)).toEqual([]);
  });

  it("shares its folder with at most 19 others", () => {
    const rooms = new Map<string, number>();
    for (const path of sources) rooms.set(dirname(path), (rooms.get(dirname(path)) ?? 0) + 1);
    expect([...rooms].filter(([, files]) => files > 20)).toEqual([]);
  });

  it("exports types under names that no other file uses for another type", () => {
    const places = new Map<string, string[]>();
    for (const path of sources) {
      const text = readFileSync(path, "utf8");
      for (const [, name = ""] of text.matchAll(exportedType))
        places.set(name, [...(places.get(name) ?? []), shown(path)]);
    }
    expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([]);
  });

  it("disables the linter only with a reason", () => {
    const silent = /(oxlint|eslint)-disable(?!.* -- \S)|@ts-(ignore|nocheck)/;
    expect(sources.filter((path) => silent.test(readFileSync(path, "utf8"))).map(shown)).toEqual(
      [],
    );
  });
});

describe("every test", () => {
  it("polls with its own `expect` if others run concurrently", () => {
    // The global one asks which test is running, and gets no answer once another of them has ended.
    const polls = /(?<![.\w])expect\s*\.poll\(/;
    const wrong = filesBelow("test").filter((path) => {
      const text = readFileSync(path, "utf8");
      return text.includes(".concurrent") && polls.test(text);
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  it("awaits events instead of sleeping", () => {
    // Put together here, so that this file does not find itself.
    const sleeps = new RegExp(
      [
        "setTimeout\\(\\s*(r|res|resolve|done|ok)\\b",
        "\\b(sleep|delay|pause)\\(\\s*\\d",
        "timers/promises",
      ]
        .map((pattern) => `(?:${pattern})`)
        .join("|"),
    );
    const sleeping = filesBelow("test").filter(
      (path) =>
        !shown(path).startsWith("test/bench/") &&
        basename(path) !== "architecture.test.ts" &&
        sleeps.test(readFileSync(path, "utf8")),
    );
    expect(sleeping.map(shown)).toEqual([]);
  });
});
