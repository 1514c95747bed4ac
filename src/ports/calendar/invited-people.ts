import { cut } from "../../core/shared/text/clean-text.ts";
import type { Line } from "../../core/tool/tool.ts";

/** Limit on people that a person is shown by name. */
const maxNamed = 10;
const maxAddressCharacters = 100;

/** Returns the line about the people to whom the calendar server may send a message about a change. */
export function invitedLines(invited: readonly string[]): readonly Line[] {
  if (invited.length === 0) return [];
  const more = invited.length - maxNamed;
  const names = invited.slice(0, maxNamed).map((address) => cut(address, maxAddressCharacters));
  const others = more > 0 ? [`${more} more`] : [];
  return [
    {
      label: "people invited",
      value: `${[...names, ...others].join(", ")}; the calendar server may notify them`,
    },
  ];
}
