import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Pinned: a newer suite asks for other things, and the documentation's table is of this one. */
const suiteVersion = "0.2.0-alpha.12";

// Not dependencies: the suite needs a newer Node than the product, and the package that brings it has 190 MB.
const home = fileURLToPath(new URL("../../node_modules/.conformance/", import.meta.url));
const needsNode = 22;
const nodePackage = `node-${process.platform}-${process.arch}`;
const nodeVersion = "22.23.3";

/** The official suite, and a Node that can run it. */
export interface ConformanceSuite {
  node: string;
  cli: string;
}

export function findSuite(): ConformanceSuite | undefined {
  const suite = join(home, "node_modules/@modelcontextprotocol/conformance");
  const node = ownNodeWillDo()
    ? process.execPath
    : join(home, "node_modules", nodePackage, "bin/node");
  const there = existsSync(node) && existsSync(suite);
  return there && versionOf(suite) === suiteVersion
    ? { node, cli: join(suite, "dist/index.js") }
    : undefined;
}

/** Installs the suite for `npm run test:servers`. Needs a registry and no rights. */
export function installSuite(): void {
  if (findSuite() !== undefined) return;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), JSON.stringify({ private: true }));
  const packages = [
    `@modelcontextprotocol/conformance@${suiteVersion}`,
    ...(ownNodeWillDo() ? [] : [`${nodePackage}@${nodeVersion}`]),
  ];
  const args = ["install", "--no-audit", "--no-fund", "--no-package-lock", ...packages];
  execFileSync("npm", args, { cwd: home, stdio: "inherit" });
}

function ownNodeWillDo(): boolean {
  return Number(process.versions.node.split(".", 1)[0]) >= needsNode;
}

function versionOf(directory: string): unknown {
  const manifest: unknown = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? manifest.version
    : undefined;
}
