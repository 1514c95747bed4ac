import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { accessSync, constants, renameSync, rmSync, writeFileSync } from "node:fs";
import { platform } from "node:os";
import { delimiter, join } from "node:path";
import { environmentForOthers, hasDesktop } from "../platform/settings.ts";

/** The program that opens a browser, with its first arguments. Undefined if none is permitted or found. */
export type Opener = readonly [program: string, ...args: string[]] | undefined;

/** Returns the opener for the setting `APPROVAL_OPEN`. */
export function openerFor(setting: string): Opener {
  if (setting === "never") return undefined;
  if (setting !== "auto") {
    const words = (setting.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""));
    const [program, ...args] = words;
    return program === undefined ? undefined : [program, ...args];
  }
  if (!hasDesktop()) return undefined;
  if (platform() === "darwin") return ["open"];
  if (platform() === "win32") return ["rundll32.exe", "url.dll,FileProtocolHandler"];
  return isOnPath("xdg-open") ? ["xdg-open"] : undefined;
}

function isOnPath(program: string): boolean {
  return (environmentForOthers()["PATH"] ?? "").split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Returns the path of the file that redirects the browser to the page. */
function redirectFile(dataDir: string): string {
  return join(dataDir, "approvals.html");
}

/**
 * Writes the redirect file, which only this user can read. Other users can read argument lists, so the address with its
 * code is in the file and only the path is passed on. The file is not deleted, because its code expires after 60 s.
 */
export function writeRedirect(dataDir: string, address: string): string {
  const path = redirectFile(dataDir);
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const text = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>Countersign</title>
<p><a href="${address}">Show the requests</a></p>
</html>
`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  return path;
}

/** Resolves when the program has started. It then runs independently. Rejects if it cannot start. */
export function openBrowser([program, ...args]: NonNullable<Opener>, path: string): Promise<void> {
  const child = spawn(program, [...args, path], {
    detached: true,
    stdio: "ignore",
    env: environmentForOthers(),
  });
  child.unref();
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => resolve());
  });
}
