import { chmodSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, type Plugin, build } from "esbuild";
import { packageFile, workerFiles } from "../../core/shared/program-root.ts";
import { bundledPackages, notices } from "./third-party.ts";

/**
 * `main` is the program, `ai-sdk`, `catalog` and `tools` the package's exports, `tool-module` a local module's process.
 */
const entries = [
  "main",
  "app/ai-sdk",
  "app/catalog",
  "app/tools",
  "app/tool-module",
  ...Object.values(workerFiles).filter((file) => file !== workerFiles["database-worker"]),
];

/**
 * Bundled without chunks of the program: two of these threads start in most processes, and each would load a dozen
 * small files.
 */
const ownChunks = [workerFiles["database-worker"]];

/** The package has native code, which cannot be bundled. */
const installed = ["libsql"];

/** Packages written as CommonJS call `require` for Node's modules. */
const requireInModules =
  'import { createRequire as createRequireHere } from "node:module"; const require = createRequireHere(import.meta.url);\n';

/**
 * Removes `require` from the files that do not call it. A start loads about a hundred files, and each would create one.
 */
function removeNeedlessRequire(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(".js")) continue;
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    const own = text.replace(requireInModules, "");
    if (own !== text && !/\brequire\b/.test(own)) writeFileSync(path, own);
  }
}

/** Leaves out the messages of zod in other languages. They are half of its code, and every start would parse them. */
const englishZod: Plugin = {
  name: "english-zod",
  setup: (bundler) => {
    bundler.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

/**
 * The tools for the AI SDK use the SDK of the program that imports them. A model for summaries uses the bundled one.
 */
const sdkOfTheCaller: Plugin = {
  name: "sdk-of-the-caller",
  setup: (bundler) => {
    bundler.onResolve({ filter: /^ai$/ }, ({ importer, path }) =>
      basename(importer) === "ai-tools.ts" ? { path, external: true } : undefined,
    );
  },
};

/**
 * Replaces Ajv in the SDK of MCP by the SDK's interpreter of schemas. Each start of `serve` would prepare Ajv, and the
 * only schema that the SDK checks is that of the approval dialog's answer.
 */
const lightSchemaChecks: Plugin = {
  name: "light-schema-checks",
  setup: (bundler) => {
    bundler.onLoad(
      { filter: /[\\/]@modelcontextprotocol[\\/].*[\\/]shimsNode\.mjs$/ },
      ({ path }) => {
        const text = readFileSync(path, "utf8");
        const contents = text.replace(
          /\{ n as (AjvJsonSchemaValidator) \} from "\.\/ajvProvider-[^"]+"/,
          '{ CfWorkerJsonSchemaValidator as $1 } from "./validators/cfWorker.mjs"',
        );
        if (contents === text) throw new Error(`${path} no longer imports Ajv as expected`);
        return { contents };
      },
    );
  },
};

const options = {
  outdir: "bundle",
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  // A dynamic import of a CommonJS file has no named exports, so module builds of packages come first.
  mainFields: ["module", "main"],
  external: installed,
  plugins: [sdkOfTheCaller, englishZod, lightSchemaChecks],
  banner: { js: requireInModules.trimEnd() },
  minifySyntax: true,
  minifyWhitespace: true,
  // The code compares error names, and people read stack traces.
  keepNames: true,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
} as const satisfies BuildOptions;

/** Writes the published program to `bundle/`, with the licenses of its packages. A step of `npm run build`. */
async function run(): Promise<void> {
  const root = fileURLToPath(packageFile("."));
  const folder = fileURLToPath(packageFile("bundle"));
  rmSync(folder, { recursive: true, force: true });
  const inputs = [...(await bundle(root, entries)), ...(await bundle(root, ownChunks))];
  removeNeedlessRequire(folder);
  const packages = bundledPackages(inputs);
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), notices(root, packages));
  // For `npm run check:dependencies`, because npm does not know the packages inside the bundle.
  writeFileSync(join(root, "dist/bundled-packages.json"), JSON.stringify(packages));
  chmodSync(join(folder, "main.js"), 0o755);
}

/** Bundles entries, which share chunks. Returns the paths of their sources. */
async function bundle(root: string, files: readonly string[]): Promise<string[]> {
  const { metafile } = await build({
    ...options,
    absWorkingDir: root,
    entryPoints: files.map((file) => ({ in: `src/${file}.ts`, out: basename(file) })),
  });
  return Object.keys(metafile.inputs);
}

// Runs only as a program, not when it is imported.
if (process.argv[1] === fileURLToPath(import.meta.url)) await run();
