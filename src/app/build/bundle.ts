import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Plugin, build } from "rolldown";
import { packageFile, workerFiles } from "../../core/shared/program-root.ts";
import { chunksOfStarts } from "./chunks.ts";
import { bundledPackages, notices } from "./third-party.ts";

/**
 * Bundled without chunks of the program, each on its own. Most processes start two threads of a database, which would load
 * a dozen small files. The thread that parses mail would load code of the program that it never runs.
 */
const ownChunks: readonly string[] = [workerFiles["database-worker"], workerFiles["parse-worker"]];

/**
 * `main` is the program, `ai-sdk`, `catalog` and `tools` the package's exports, `tool-module` a local module's process.
 */
const entries = [
  "main",
  "app/ai-sdk",
  "app/catalog",
  "app/tools",
  "app/tool-module",
  ...Object.values(workerFiles).filter((file) => !ownChunks.includes(file)),
];

/** The package has native code, which cannot be bundled. */
const installed = ["libsql"];

/**
 * The entry modules of what most processes load: each command, `serve` until it sent its tools, its first call, and
 * `ingest`. Each has few chunks, because a start from a hundred small files took an eighth longer.
 */
const starts = [
  ["main"],
  ["app/commands/serve"],
  ["app/compose/call-runtime", "mcp/call-tool"],
  ["app/commands/ingest"],
];

/** Leaves out the messages of zod in other languages. They are half of its code, and every start would parse them. */
const englishZod: Plugin = {
  name: "english-zod",
  load: {
    filter: { id: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ },
    handler: () => 'export { default as en } from "./en.js";',
  },
};

/**
 * The tools for the AI SDK use the SDK of the program that imports them. A model for summaries uses the bundled one.
 */
const sdkOfTheCaller: Plugin = {
  name: "sdk-of-the-caller",
  resolveId: {
    filter: { id: /^ai$/ },
    handler: (id, importer) =>
      importer !== undefined && basename(importer) === "ai-tools.ts"
        ? { id, external: true }
        : undefined,
  },
};

/**
 * Replaces Ajv in the SDK of MCP by the SDK's interpreter of schemas. Each start of `serve` would prepare Ajv, and the
 * only schema that the SDK checks is that of the approval dialog's answer.
 */
const lightSchemaChecks: Plugin = {
  name: "light-schema-checks",
  load: {
    filter: { id: /[\\/]@modelcontextprotocol[\\/].*[\\/]shimsNode\.mjs$/ },
    handler: (path) => {
      const text = readFileSync(path, "utf8");
      const light = text.replace(
        /\{ n as (AjvJsonSchemaValidator) \} from "\.\/ajvProvider-[^"]+"/,
        '{ CfWorkerJsonSchemaValidator as $1 } from "./validators/cfWorker.mjs"',
      );
      if (light === text) throw new Error(`${path} no longer imports Ajv as expected`);
      return light;
    },
  },
};

/** Derives the key of a backup with native code. The JavaScript of the package takes twice the processor time. */
const nativeScrypt: Plugin = {
  name: "native-scrypt",
  resolveId: {
    filter: { id: /^@noble\/hashes\/scrypt\.js$/ },
    handler: () => fileURLToPath(packageFile("src/adapters/age/native-scrypt.ts")),
  },
};

/** Writes the published program to `bundle/`, with the licenses of its packages. A step of `npm run build`. */
async function run(): Promise<void> {
  const root = fileURLToPath(packageFile("."));
  const folder = fileURLToPath(packageFile("bundle"));
  rmSync(folder, { recursive: true, force: true });
  const inputs = await bundle(root, entries);
  for (const file of ownChunks) inputs.push(...(await bundle(root, [file])));
  const packages = bundledPackages(inputs);
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), notices(root, packages));
  // For `npm run check:dependencies`, because npm does not know the packages inside the bundle.
  writeFileSync(join(root, "dist/bundled-packages.json"), JSON.stringify(packages));
  chmodSync(join(folder, "main.js"), 0o755);
}

/** Bundles entries, which share chunks. Returns the paths of their sources. */
async function bundle(root: string, files: readonly string[]): Promise<string[]> {
  const { output } = await build({
    cwd: root,
    input: Object.fromEntries(files.map((file) => [basename(file), `src/${file}.ts`])),
    external: installed,
    platform: "node",
    transform: { target: "node20.19" },
    // A dynamic import of a CommonJS file has no named exports, so module builds of packages come first.
    resolve: { mainFields: ["module", "main"] },
    plugins: [sdkOfTheCaller, englishZod, lightSchemaChecks, nativeScrypt],
    // The groups of chunks need it.
    preserveEntrySignatures: "allow-extension",
    // Two packages call `eval` for functions with a given name. And a file that another lazy file imports is still lazy.
    checks: { eval: false, ineffectiveDynamicImport: false },
    output: {
      dir: "bundle",
      entryFileNames: "[name].js",
      chunkFileNames: "[name]-[hash].js",
      hashCharacters: "base36",
      codeSplitting: chunksOfStarts(join(root, "src"), starts),
      // The code compares error names, and people read stack traces.
      keepNames: true,
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      comments: false,
    },
  });
  return output.flatMap((chunk) =>
    chunk.type === "chunk" ? chunk.moduleIds.map((id) => relative(root, id)) : [],
  );
}

// Runs only as a program, not when it is imported.
if (process.argv[1] === fileURLToPath(import.meta.url)) await run();
