import { type ChildProcess, fork } from "node:child_process";
import { basename, join, parse, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";

const folder = fileURLToPath(new URL("../../dist/test-programs/", import.meta.url));
const tests = fileURLToPath(new URL("../", import.meta.url));
const bundle = new URL("../../bundle/", import.meta.url);

/** Programs with modules of the product. They have the relative paths of a file in `bundle/`, where its threads are. */
const ofTheProduct = [
  "check-dependencies.ts",
  "integration/libsql-child.ts",
  "integration/race-child.ts",
];

/** Servers of the official SDK. They start a hundred times, and the SDK's modules are a third of each start. */
const ofTheSdk = ["era-server.mjs", "issues-server.mjs", "many-server.mjs", "notes-server.mjs"].map(
  (file) => `fixtures/upstream/${file}`,
);

/**
 * Bundles the programs of tests with their packages, before the tests of a run. A loader of TypeScript would cost each
 * process more than all its work.
 */
export default async function compilePrograms(): Promise<void> {
  const ofProduct = ofTheProduct.map((file) =>
    compile(join(tests, file), new URL(basename(file), bundle).href),
  );
  const ofSdk = ofTheSdk.map((file) =>
    compile(join(tests, file), pathToFileURL(join(tests, file)).href),
  );
  await Promise.all([...ofProduct, ...ofSdk]);
}

/** Starts a test's TypeScript file as a process that receives messages. */
export function forkTypeScript(path: string): ChildProcess {
  return fork(compiledProgram(path));
}

/** Returns the path of the compiled program, or the given path if it is not compiled. */
export function compiledProgram(path: string): string {
  const isCompiled = [...ofTheProduct, ...ofTheSdk].some(
    (file) => join(tests, file) === resolve(path),
  );
  return isCompiled ? outputOf(path) : path;
}

function outputOf(path: string): string {
  return join(folder, `${parse(path).name}.mjs`);
}

/** Writes the compiled program, which looks for files relative to `url`. */
async function compile(path: string, url: string): Promise<void> {
  await build({
    input: path,
    external: ["libsql", "@libsql/client"],
    platform: "node",
    transform: { define: { "import.meta.url": JSON.stringify(url) } },
    checks: { eval: false },
    logLevel: "warn",
    output: { file: outputOf(path), codeSplitting: false },
  });
}
