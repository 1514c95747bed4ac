import { randomBytes } from "node:crypto";
import { linkSync, rmSync, writeFileSync } from "node:fs";
import { ConfigError } from "../../config/config-error.ts";
import { systemCode } from "./safe-file.ts";

/**
 * Creates a file for this user alone, complete from the moment it exists. If several processes start together, the
 * first one's file stays and the others get false.
 * @throws ConfigError
 */
export function writeOnce(path: string, text: string): boolean {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw new ConfigError([{ setting: path, problem: "could not be written" }]);
  } finally {
    rmSync(draft, { force: true });
  }
}
