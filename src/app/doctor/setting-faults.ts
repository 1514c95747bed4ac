import type { ConfigError } from "../../config/config-error.ts";
import type { SettingsPlace } from "../platform/settings.ts";
import type { Fact } from "./facts.ts";
import { mendOfSetting } from "./mend-setting.ts";

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
