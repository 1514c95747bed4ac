import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { accessSync, constants, renameSync, rmSync, writeFileSync } from "node:fs";
import { platform } from "node:os";
import { delimiter, join } from "node:path";
import { environmentForOthers, hasDesktop } from "../platform/settings.ts";

/** What starts the person's browser: a program and what comes before the path. Undefined: nothing may, or nothing is there. */
export type Opener = readonly [program: string, ...args: string[]] | undefined;

/** `setting`: `APPROVAL_OPEN`. */
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

/** The file that leads the browser to the page. */
function redirectFile(dataDir: string): string {
  return join(dataDir, "approvals.html");
}

/**
 * Writes the file that only this user can read. An argument list can be read by everybody on the computer, so the address with
 * its code is in the file, and only the file's path is passed on. Left where it is: after 60 s it leads nowhere.
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

/** Resolves when the program has started; it is on its own then. Rejects where it cannot be. */
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
