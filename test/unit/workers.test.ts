import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type * as module from "../../src/core/shared/program-root.ts";

// The module itself. Vitest replaces it for everyone who imports it by a relative path.
const sourceOfModule = new URL("../../src/core/shared/program-root.ts", import.meta.url).href;
const { programRoot, workerFile, workerFiles } = (await import(sourceOfModule)) as typeof module;
const source = fileURLToPath(new URL("src/", programRoot));
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".ts"),
);

describe("the program's files", () => {
  it("are below the folder of package.json", () => {
    expect(existsSync(new URL("package.json", programRoot))).toBe(true);
  });

  it("name every thread once", () => {
    const workers = files
      .map((path) => basename(path, ".ts"))
      .filter((name) => name.endsWith("-worker"));
    const entries = workers.filter((name) => name !== "start-worker");
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.toSorted()).toEqual(Object.keys(workerFiles).toSorted());
    for (const entry of entries)
      expect(existsSync(workerFile(entry as module.WorkerEntry))).toBe(true);
  });

  it("are found from a flat bundle too", async () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-bundle-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "bundle"));
    const bundle = join(folder, "bundle", "program.ts");
    copyFileSync(join(source, "core", "shared", "program-root.ts"), bundle);
    const bundled = (await import(pathToFileURL(bundle).href)) as typeof module;
    expect(fileURLToPath(bundled.programRoot)).toBe(join(folder, "/"));
    expect(fileURLToPath(bundled.packageFile("bundle/main.js"))).toBe(
      join(folder, "bundle", "main.js"),
    );
    const worker = bundled.workerFile("parse-worker");
    expect(fileURLToPath(worker)).toBe(join(folder, "bundle", "parse-worker.js"));
  });

  it("start threads in one place", () => {
    const starters = files.filter((path) =>
      /\bnew Worker\(/.test(readFileSync(join(source, path), "utf8")),
    );
    expect(starters).toEqual([join("core", "shared", "start-worker.ts")]);
  });

  it("find each other without paths relative to themselves", () => {
    const relative = files.filter((path) =>
      /new URL\([^)]*import\.meta\.url/.test(readFileSync(join(source, path), "utf8")),
    );
    expect(relative).toEqual([]);
  });
});
