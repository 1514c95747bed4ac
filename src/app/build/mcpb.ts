import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { packExtension } from "@anthropic-ai/mcpb";
import { z } from "zod";
import { packageFile } from "../../core/shared/program-root.ts";
import { readRegistry } from "../compose/read-registry.ts";

/** The systems that Claude Desktop runs on, each with the package of its native database driver. */
const targets = {
  "darwin-arm64": { platform: "darwin", driver: "@libsql/darwin-arm64" },
  "darwin-x64": { platform: "darwin", driver: "@libsql/darwin-x64" },
  "linux-x64": { platform: "linux", driver: "@libsql/linux-x64-gnu" },
  "win32-x64": { platform: "win32", driver: "@libsql/win32-x64-msvc" },
} as const;
type Target = keyof typeof targets;

/** The program's default directory on each system, so that commands in a terminal use the same data. */
const dataDirectories = {
  darwin: "${HOME}/Library/Application Support/Countersign",
  linux: "${HOME}/.local/share/countersign",
  win32: "${HOME}\\AppData\\Local\\Countersign",
} as const;

/** JavaScript packages that load the driver, the same on every system. */
const loaders = ["libsql", "@neon-rs/load", "detect-libc"];

const root = fileURLToPath(packageFile("."));

/** Returns the manifest of the bundle for one system. Its only question is the data directory. */
export function manifestOf(target: Target): Readonly<Record<string, unknown>> {
  const { platform } = targets[target];
  const { version, description, license, engines } = z
    .object({
      version: z.string(),
      description: z.string(),
      license: z.string(),
      engines: z.object({ node: z.string() }),
    })
    .parse(readJson(packageFile("package.json")));
  return {
    manifest_version: "0.3",
    name: "countersign",
    display_name: "Countersign",
    version,
    description,
    author: { name: "The Countersign authors" },
    license,
    server: {
      type: "node",
      entry_point: "bundle/main.js",
      mcp_config: {
        command: "node",
        args: ["${__dirname}/bundle/main.js", "serve"],
        env: { COUNTERSIGN_DATA_DIR: "${user_config.data_directory}" },
      },
    },
    user_config: {
      data_directory: {
        type: "directory",
        title: "Data directory",
        description: "Contains the database, your files and the settings in `.env`.",
        required: true,
        default: dataDirectories[platform],
      },
    },
    tools: [...readRegistry().values()].map((tool) => ({
      name: tool.name,
      description: tool.summary,
    })),
    // Tools of the calendar and web search are listed only with their settings.
    tools_generated: true,
    compatibility: { platforms: [platform], runtimes: { node: engines.node } },
  };
}

/**
 * Writes the bundle for one system: the published package, the driver for that system, and a manifest.
 * @param packed the tarball of the published package
 * @param driver the tarball of the driver's package
 * @returns its path
 */
async function bundleFor(
  target: Target,
  { packed, driver }: { packed: string; driver: string },
  outDir: string,
): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), "countersign-mcpb-"));
  try {
    const content = join(work, "content");
    unpack(packed, content);
    for (const name of loaders)
      cpSync(join(root, "node_modules", name), modulesOf(content, name), { recursive: true });
    unpack(driver, modulesOf(content, targets[target].driver));
    const manifest = manifestOf(target);
    writeFileSync(join(content, "manifest.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
    const outputPath = join(outDir, `countersign-${String(manifest["version"])}-${target}.mcpb`);
    if (!(await packExtension({ extensionPath: content, outputPath, silent: true })))
      throw new Error(`${outputPath} was not written: the manifest or a file was refused`);
    return outputPath;
  } finally {
    rmSync(work, { recursive: true });
  }
}

const modulesOf = (content: string, name: string): string => join(content, "node_modules", name);

/** A package as package-lock.json names it. */
interface Locked {
  name: string;
  version: string;
  integrity: string;
}

/** Returns the version and the hash of a driver in package-lock.json. */
function lockedDriver(name: string): Locked {
  const { packages } = z
    .object({
      packages: z.record(
        z.string(),
        z.object({ version: z.string().optional(), integrity: z.string().optional() }),
      ),
    })
    .parse(readJson(packageFile("package-lock.json")));
  const { version, integrity } = packages[`node_modules/${name}`] ?? {};
  if (version === undefined || integrity === undefined)
    throw new Error(`package-lock.json does not name ${name}`);
  return { name, version, integrity };
}

/**
 * Packs the published package and fetches the drivers from the registry. One npm does both, because each start of npm
 * takes a second.
 * @returns the tarballs of the package and of each target's driver
 * @throws if a driver differs from the one in package-lock.json
 */
function tarballsOf(
  wanted: readonly Target[],
  folder: string,
): { packed: string; drivers: string[] } {
  const locked = wanted.map((target) => lockedDriver(targets[target].driver));
  const named = locked.map(({ name, version }) => `${name}@${version}`);
  const [packed, ...drivers] = npmPack([".", ...named], folder);
  if (packed === undefined) throw new Error("npm pack made no file");
  for (const [index, { name, version, integrity }] of locked.entries())
    checkIntegrity(readFileSync(drivers[index] ?? ""), integrity, `${name}@${version}`);
  return { packed, drivers };
}

/**
 * Checks bytes against a hash in the form of package-lock.json.
 * @throws if they differ
 */
export function checkIntegrity(bytes: Uint8Array, integrity: string, name: string): void {
  const [algorithm = "", expected] = integrity.split("-", 2);
  if (createHash(algorithm).update(bytes).digest("base64") !== expected)
    throw new Error(`${name} differs from package-lock.json. No bundle was written.`);
}

/** Returns the tarballs in the order of the names. */
function npmPack(what: readonly string[], folder: string): string[] {
  const options = ["--ignore-scripts", "--json", "--pack-destination", folder];
  const said = execFileSync("npm", ["pack", ...what, ...options], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 << 20,
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const packed = z.array(z.object({ filename: z.string() })).parse(JSON.parse(said));
  if (packed.length !== what.length) throw new Error(`npm pack ${what.join(" ")} left files out`);
  // Some versions of npm print the name with its scope.
  return packed.map(({ filename }) =>
    join(folder, filename.replace(/^@/, "").replaceAll("/", "-")),
  );
}

/** Unpacks an npm tarball, whose files are in one folder. */
function unpack(tarball: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"]);
}

function readJson(url: URL): unknown {
  return JSON.parse(readFileSync(url, "utf8"));
}

const isTarget = (name: string): name is Target => name in targets;

/** Writes one `.mcpb` for each system (`npm run bundle`). `--target` selects one, `--out` the folder. */
async function run(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      target: { type: "string", multiple: true, default: Object.keys(targets) },
      out: { type: "string", default: fileURLToPath(packageFile("mcpb")) },
    },
  });
  const wanted = values.target.map((target) => {
    if (isTarget(target)) return target;
    throw new Error(`There is no target "${target}". Use: ${Object.keys(targets).join(", ")}`);
  });
  const folder = mkdtempSync(join(tmpdir(), "countersign-packed-"));
  try {
    const { packed, drivers } = tarballsOf(wanted, folder);
    for (const [index, target] of wanted.entries()) {
      const driver = drivers[index] ?? "";
      console.log(await bundleFor(target, { packed, driver }, values.out));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// Runs only as a program, not when it is imported.
if (process.argv[1] === fileURLToPath(import.meta.url)) await run(process.argv.slice(2));
