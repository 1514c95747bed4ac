import type { Ticket } from "../core/approvals/ticket.ts";
import { escaped } from "../core/shared/text/visible.ts";
import type { Line } from "../core/tool/tool.ts";

/** A longer text takes a browser long. Characters. */
const maxCharacters = 200_000;

/** A text is escaped in parts of this length, until there is enough of it. Characters. */
const partCharacters = 16_000;

/**
 * Returns every argument of a request as JSON, and the number of characters that are left out. Undefined if the effect
 * already shows all arguments.
 */
export function argumentsInFull({
  args,
  effect,
}: Ticket): { text: string; left: number } | undefined {
  return effect.forPerson.facts.some(isCut) ? visibleJson(args) : undefined;
}

/** Returns the beginning of a value as JSON. To escape megabytes would take seconds, during which no call runs. */
function visibleJson(value: unknown): { text: string; left: number } {
  const whole = JSON.stringify(value, undefined, 2);
  let text = "";
  let at = 0;
  while (at < whole.length && text.length < maxCharacters) {
    const part = partOf(whole, at);
    text += part.split("\n").map(escaped).join("\n");
    at += part.length;
  }
  const left = whole.length - at + Math.max(0, text.length - maxCharacters);
  return { text: text.slice(0, maxCharacters), left };
}

/** Returns the next part. It ends after a space, because letters are compared with the others of their word. */
function partOf(text: string, at: number): string {
  const end = at + partCharacters;
  const space = text.lastIndexOf(" ", end);
  return text.slice(at, end < text.length && space > at ? space + 1 : end);
}

/** Returns whether a line shows only a part: of a value, of the values, or of an argument's long name. */
function isCut({ label, value }: Line): boolean {
  return label.includes("…") || /(?:^| )and \d+ more(?: values?)?$/.test(value);
}
