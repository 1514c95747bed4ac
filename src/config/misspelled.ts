import { nearestName } from "../core/shared/text/nearest-name.ts";
import { settings } from "./settings.ts";

/** Prefixes that no other program uses. A variable with one of them is meant for this program. */
const ownBeginnings = [
  "COUNTERSIGN_",
  "INGEST_",
  "CALDAV_",
  "APPROVAL_",
  "TOOL_CALLS_",
  "HIGH_RISK_",
];

/** Read by clients for a remote server, not by this program. */
export const clientTokenVariable = "COUNTERSIGN_TOKEN";

/**
 * Returns warnings about names that nearly match a setting and have no effect. In the process environment only our own
 * prefixes count, because it contains other programs' names.
 */
export function misspelled(names: readonly string[], from: "file" | "environment"): string[] {
  return names
    .filter((name) => !Object.hasOwn(settings, name) && name !== clientTokenVariable)
    .flatMap((name) => {
      const isOurs = ownBeginnings.some((beginning) => name.toUpperCase().startsWith(beginning));
      const meant =
        isOurs || from === "file"
          ? nearestName(name.toUpperCase(), Object.keys(settings))
          : undefined;
      if (!isOurs && meant === undefined) return [];
      const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
      return [`${name} is set but is not a setting. It has no effect.${hint}`];
    });
}
