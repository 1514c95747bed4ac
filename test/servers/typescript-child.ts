import { type ChildProcess, fork } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

/** The place from which its packages are resolved. */
const folder = fileURLToPath(new URL("../../node_modules/.children/", import.meta.url));
const bundle = new URL("../../bundle/", import.meta.url);
const compiled = new Map<string, string>();

/**
 * Starts a test's TypeScript file as a process that receives messages. The file is compiled once, because a loader of
 * TypeScript would cost each process more than all its work.
 */
export function forkTypeScript(path: string): ChildProcess {
  return fork(compiledTypeScript(path));
}

/** Returns the path of a compiled program, which has the relative paths of a file in `bundle/`. */
export function compiledTypeScript(path: string): string {
  const program = compiled.get(path) ?? compile(path);
  compiled.set(path, program);
  return program;
}

function compile(path: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [path],
    bundle: true,
    external: ["libsql", "@libsql/client"],
    platform: "node",
    format: "esm",
    write: false,
    // The program in it starts its threads from the bundle, as the published one does.
    define: { "import.meta.url": JSON.stringify(new URL(basename(path), bundle).href) },
    // Packages written as CommonJS call `require` for Node's modules.
    banner: {
      js: 'import { createRequire as createRequireHere } from "node:module"; const require = createRequireHere(import.meta.url);',
    },
  });
  const program = join(folder, `${basename(path, ".ts")}.mjs`);
  const own = `${program}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(own, outputFiles[0]?.text ?? "");
  renameSync(own, program);
  return program;
}
