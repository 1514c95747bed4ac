import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Returns the newest modification time below a path, in milliseconds. 0 if the path does not exist. */
function newest(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Builds when `dist` is absent or older than a source, so that no test passes against last week's server. */
export default function ensureBuild(): void {
  const sources = ["src", "tsconfig.json", "package.json"].map((path) => newest(join(root, path)));
  const built = statSync(join(root, "dist/.built"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (built > Math.max(...sources)) return;
  execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" });
}
