import { platform } from "node:os";
import type { ConfigError } from "../../config/config-error.ts";
import { inShell } from "../../core/shared/text/shell-word.ts";
import type { SettingsPlace } from "../platform/settings.ts";
import type { Fact } from "./facts.ts";

/** Returns the command that opens a file for a change. */
export const editCommand = (file: string): string =>
  platform() === "win32" ? `notepad "${file}"` : `\${EDITOR:-vi} ${inShell(file)}`;

/** Lists the settings that are wrong, each with its origin and the command that opens it for a change. */
export function settingFaults({ problems }: ConfigError, place: SettingsPlace): Fact[] {
  const { file } = place;
  const given = new Map(Object.entries(place.given));
  const fromFile = new Map(Object.entries(place.fromFile));
  return problems.map(({ setting, problem }) => {
    const sentence = `${setting} ${problem}.`;
    const name = "settings";
    const mend = mendOfSetting(setting, place);
    if (given.get(setting) !== undefined)
      return { name, summary: "", problem: `${sentence} It comes from the environment.`, mend };
    const origin = (fromFile.get(setting) ?? "") === "" ? "" : ` It comes from ${file}.`;
    return { name, summary: "", problem: `${sentence}${origin}`, mend };
  });
}

/** Returns the command that removes a setting from the environment, or opens the file for a change. */
export function mendOfSetting(setting: string, { given, file }: SettingsPlace): string {
  if (new Map(Object.entries(given)).get(setting) === undefined) return editCommand(file);
  return platform() === "win32" ? `set ${setting}=` : `unset ${setting}`;
}
