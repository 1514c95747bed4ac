import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { settings } from "../../src/config/settings.ts";
import { withSettings } from "../../src/setup/env-text.ts";

/**
 * Writes settings into `.env` of a data directory, as a person does: what a test sees of them comes from there. Returns
 * the environment for a process, without values that would override the file.
 */
export function writeSettings(
  dataDir: string,
  own: NodeJS.Dict<string>,
  env: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const all = { ...env };
  const file: Record<string, string> = {};
  for (const [name, value = ""] of Object.entries(own)) {
    const isInFile = Object.hasOwn(settings, name) && name !== "COUNTERSIGN_DATA_DIR";
    // The empty value says that even a helper's own default does not apply.
    all[name] = isInFile ? "" : value;
    if (isInFile) file[name] = value;
  }
  const text = withSettings("", file);
  if (text === undefined) throw new Error("these values do not fit into .env");
  if (Object.keys(file).length > 0) writeFileSync(join(dataDir, ".env"), text, { mode: 0o600 });
  return all;
}

export function settingsIn(dataDir: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(join(dataDir, ".env"), "utf8"));
  } catch {
    return {};
  }
}
