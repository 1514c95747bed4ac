import { platform } from "node:os";
import { inShell } from "../../core/shared/text/shell-word.ts";
import type { SettingsPlace } from "../platform/settings.ts";

/** Returns the command that opens a file for a change. */
export const editCommand = (file: string): string =>
  platform() === "win32" ? `notepad "${file}"` : `\${EDITOR:-vi} ${inShell(file)}`;

/** Returns the command that removes a setting from the environment, or opens the file for a change. */
export function mendOfSetting(setting: string, { given, file }: SettingsPlace): string {
  if (new Map(Object.entries(given)).get(setting) === undefined) return editCommand(file);
  return platform() === "win32" ? `set ${setting}=` : `unset ${setting}`;
}
