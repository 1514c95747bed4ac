import { ianaZone, type TimeZone } from "../core/shared/time-zone.ts";
import { ToolError } from "../core/tool/tool-error.ts";

/** Throws `invalid_input` for a name that no zone has. */
export function zoneOf(timeZone: string): TimeZone {
  const zone = ianaZone(timeZone);
  if (zone !== undefined) return zone;
  throw new ToolError("invalid_input", "timeZone: there is no such time zone. Nothing was done.", {
    hint: "Use an IANA name like Europe/Berlin.",
  });
}
