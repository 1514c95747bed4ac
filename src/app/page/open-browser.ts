import { spawn } from "node:child_process";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { platform } from "node:os";
import { delimiter, join } from "node:path";
import { isProgram } from "../platform/own-command.ts";
import { environmentForOthers, hasDesktop } from "../platform/settings.ts";
import { draftOf } from "../platform/write-file.ts";

/** The program that opens a browser, with its first arguments. Undefined if none is permitted or found. */
export type Opener = readonly [program: string, ...args: string[]] | undefined;

/** Returns the opener for the setting `APPROVAL_OPEN`. */
export function openerFor(setting: string): Opener {
  if (setting === "never") return undefined;
  if (setting !== "auto") {
    const words = (setting.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""));
    const [program, ...args] = words;
    return program === undefined || !isHere(program) ? undefined : [program, ...args];
  }
  if (!hasDesktop()) return undefined;
  if (platform() === "darwin") return ["open"];
  if (platform() === "win32") return ["rundll32.exe", "url.dll,FileProtocolHandler"];
  return isOnPath("xdg-open") ? ["xdg-open"] : undefined;
}

/** Explains why the setting's command opens nothing. Undefined if it is not a command, or can be started. */
export function openerProblem(setting: string): string | undefined {
  if (setting === "never" || setting === "auto" || openerFor(setting) !== undefined)
    return undefined;
  return `The command ${setting} of APPROVAL_OPEN cannot be started on this machine. No browser opens for approval requests.`;
}

function isHere(program: string): boolean {
  // Windows adds endings and other places.
  if (platform() === "win32") return true;
  return program.includes("/") ? isProgram(program) : isOnPath(program);
}

function isOnPath(program: string): boolean {
  return (environmentForOthers()["PATH"] ?? "")
    .split(delimiter)
    .some((directory) => isProgram(join(directory, program)));
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
  const draft = draftOf(path);
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

/**
 * Resolves when the program has started. It then runs independently. Rejects if it cannot start.
 * @param failed is called if the program ends and reports a failure
 */
export function openBrowser(
  [program, ...args]: NonNullable<Opener>,
  path: string,
  failed?: (problem: string) => void,
): Promise<void> {
  const child = spawn(program, [...args, path], {
    detached: true,
    stdio: "ignore",
    env: environmentForOthers(),
  });
  child.unref();
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => resolve());
    child.once("exit", (code) => {
      if (code !== 0 && code !== null)
        failed?.(`The command ${program} ended with code ${code}, so no page opened.`);
    });
  });
}
