import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Plugin, build } from "esbuild";
import { packageFile, workerFiles } from "../../core/shared/program-root.ts";
import { bundledPackages, notices } from "./third-party.ts";

/** `main` is the program, `ai-sdk` the package's export. */
const entries = ["main", "app/ai-sdk", ...Object.values(workerFiles)] as const;

/** The package has native code, which no bundle can contain. */
const installed = ["libsql"];

/** Packages written as CommonJS call `require` for Node's modules. */
const requireInModules =
  'import { createRequire as createRequireHere } from "node:module"; const require = createRequireHere(import.meta.url);';

/** The tools for the AI SDK are made with the SDK of the program that imports them. A model for summaries uses the bundled one. */
const sdkOfTheCaller: Plugin = {
  name: "sdk-of-the-caller",
  setup: (bundler) => {
    bundler.onResolve({ filter: /^ai$/ }, ({ importer, path }) =>
      basename(importer) === "ai-tools.ts" ? { path, external: true } : undefined,
    );
  },
};

/** A step of `npm run build`: writes the published program to `bundle/`, with the licences of the packages in it. */
async function run(): Promise<void> {
  const root = fileURLToPath(packageFile("."));
  const folder = fileURLToPath(packageFile("bundle"));
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    outdir: "bundle",
    entryPoints: entries.map((entry) => ({ in: `src/${entry}.ts`, out: basename(entry) })),
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    // A dynamic import of a CommonJS file has no named exports; most packages also ship modules.
    mainFields: ["module", "main"],
    external: installed,
    plugins: [sdkOfTheCaller],
    banner: { js: requireInModules },
    minifySyntax: true,
    minifyWhitespace: true,
    // Errors are told apart by their names, and stack traces are read by people.
    keepNames: true,
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  const packages = bundledPackages(Object.keys(metafile.inputs));
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), notices(root, packages));
  // For `npm run check:dependencies`: nothing of the bundle is a dependency that npm knows of.
  writeFileSync(join(root, "dist/bundled-packages.json"), JSON.stringify(packages));
  chmodSync(join(folder, "main.js"), 0o755);
}

// A step of the build, not a command of the program: it runs only when it is the program.
if (process.argv[1] === fileURLToPath(import.meta.url)) await run();
