import { type ChildProcess, fork } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, join, parse } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
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
  return compiledOnce(path, new URL(basename(path), bundle).href);
}

/** Returns the path of a program bundled with its packages, which starts faster. It has its own relative paths. */
export function bundledProgram(path: string): string {
  return compiledOnce(path, pathToFileURL(path).href);
}

function compiledOnce(path: string, url: string): string {
  const program = compiled.get(path) ?? compile(path, url);
  compiled.set(path, program);
  return program;
}

/** Returns the path of the compiled program, which looks for files relative to `url`. */
function compile(path: string, url: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [path],
    bundle: true,
    external: ["libsql", "@libsql/client"],
    platform: "node",
    format: "esm",
    write: false,
    // A program in `bundle/` starts its threads from there, as the published one does.
    define: { "import.meta.url": JSON.stringify(url) },
    // Packages written as CommonJS call `require` for Node's modules.
    banner: {
      js: 'import { createRequire as createRequireHere } from "node:module"; const require = createRequireHere(import.meta.url);',
    },
  });
  const program = join(folder, `${parse(path).name}.mjs`);
  const own = `${program}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(own, outputFiles[0]?.text ?? "");
  renameSync(own, program);
  return program;
}
