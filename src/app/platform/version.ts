import { readFileSync } from "node:fs";
import { packageFile } from "../../core/shared/program-root.ts";

/** Returns the version of this package. */
export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageFile("package.json"), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "unknown";
}

/** The oldest Node.js that can run this program, as in package.json. */
export const oldestNode = "20.19";

/** Returns a sentence if this Node.js cannot run the program, which would fail with a syntax error otherwise. */
export function tooOldNode(running: string): string | undefined {
  const [major = 0, minor = 0] = running.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `Countersign needs Node.js ${oldestNode} or newer, and this is ${running}. Nothing was started. Install a newer one from https://nodejs.org.`;
}
