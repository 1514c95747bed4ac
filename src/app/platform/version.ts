import { readFileSync } from "node:fs";
import { packageFile } from "../../core/shared/program-root.ts";

/** Returns the version of this package. */
export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageFile("package.json"), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "unknown";
}
