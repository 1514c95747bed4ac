import { ianaZone, type TimeZone } from "../core/shared/time-zone.ts";
import { ToolError } from "../core/tool/tool-error.ts";

/**
 * Returns the zone with an IANA name.
 * @throws {ToolError} `invalid_input` for an unknown name
 */
export function zoneOf(timeZone: string): TimeZone {
  const zone = ianaZone(timeZone);
  if (zone !== undefined) return zone;
  throw new ToolError(
    "invalid_input",
    "timeZone: this time zone does not exist. Nothing was done.",
    {
      hint: "Use an IANA name like Europe/Berlin.",
    },
  );
}
