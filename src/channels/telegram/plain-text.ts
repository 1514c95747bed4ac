import { cut, oneLine } from "../../core/shared/text/clean-text.ts";
import { visible } from "../../core/shared/text/visible.ts";
import type { MessengerMessage } from "../../ports/people/messenger.ts";

/** Telegram's limit, in UTF-16 units. */
const maxUnits = 4_096;

/** Lines per message. Each value is an entity, and Telegram accepts a hundred of those. */
const maxLines = 30;
const maxLabelUnits = 60;
/** Shorter values are useless. */
const leastValueUnits = 40;

/** A line of a message: our own words, or a label with a foreign value. */
export type ChatLine = string | { label: string; value: string };

const shortened = "This is shortened to fit one message. A terminal shows all of it.";

/** Joins lines into one text. If it is too long, the longest values are cut first, and the message says so. */
export function plainText(lines: readonly ChatLine[]): Pick<MessengerMessage, "text" | "quoted"> {
  const whole = lines.map((line) =>
    typeof line === "string" ? line : { ...line, value: withoutLinks(line.value) },
  );
  const longest = Math.max(0, ...whole.map(unitsOf));
  if (whole.length <= maxLines && unitsOfAll(whole) <= maxUnits) return joined(whole);
  const shown = [...whole.slice(0, maxLines), shortened];
  let most = longest;
  while (most > leastValueUnits && unitsOfAll(shown.map((line) => atMost(line, most))) > maxUnits)
    most = Math.floor(most * 0.9);
  return joined(shown.map((line) => atMost(line, most)));
}

/** Cleans foreign text for a one-line value. */
export function clean(text: string, most: number): string {
  return visible(oneLine(text, most));
}

/**
 * Makes addresses readable but not clickable: `hxxps[:]//example[.]org`. No expression begins with a scheme of any
 * length, because its time would grow with the square of a long word.
 */
export function withoutLinks(text: string): string {
  return text
    .replaceAll(/htt(?=ps?:\/\/)/gi, "hxx")
    .replaceAll(/:\/\/[^\s/?#"'\\]*/g, (host) => `[:]${host.slice(1).replaceAll(".", "[.]")}`)
    .replaceAll(/\bwww\.[^\s/?#"'\\]*/gi, (host) => host.replaceAll(".", "[.]"));
}

function atMost(line: ChatLine, units: number): ChatLine {
  if (typeof line === "string") return line;
  return { label: cut(line.label, maxLabelUnits), value: cut(line.value, units) };
}

function unitsOf(line: ChatLine): number {
  return typeof line === "string" ? line.length : line.label.length + 2 + line.value.length;
}

function unitsOfAll(lines: readonly ChatLine[]): number {
  return lines.reduce((sum, line) => sum + unitsOf(line) + 1, 0);
}

function joined(lines: readonly ChatLine[]): Pick<MessengerMessage, "text" | "quoted"> {
  const quoted: { offset: number; length: number }[] = [];
  let text = "";
  for (const line of lines) {
    if (text !== "") text += "\n";
    if (typeof line === "string") {
      text += line;
      continue;
    }
    text += line.label === "" ? "" : `${line.label}: `;
    // Telegram rejects an empty entity.
    if (line.value !== "") quoted.push({ offset: text.length, length: line.value.length });
    text += line.value;
  }
  return { text, quoted };
}
