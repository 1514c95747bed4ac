import { type ChildProcess, fork } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildSync } from "esbuild";

/** The place from which its packages are resolved. */
const folder = fileURLToPath(new URL("../../node_modules/.children/", import.meta.url));
const compiled = new Map<string, string>();

/**
 * Starts a test's TypeScript file as a process that receives messages. The file is compiled once, because a loader of
 * TypeScript would cost each process more than all its work.
 */
export function forkTypeScript(path: string): ChildProcess {
  const program = compiled.get(path) ?? compile(path);
  compiled.set(path, program);
  return fork(program);
}

function compile(path: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [path],
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    write: false,
    // The file finds the built program from its own place.
    define: { "import.meta.url": JSON.stringify(pathToFileURL(path).href) },
  });
  const program = join(folder, `${basename(path, ".ts")}.mjs`);
  const own = `${program}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(own, outputFiles[0]?.text ?? "");
  renameSync(own, program);
  return program;
}
