import { html } from "hono/html";
import type { Ticket } from "../../core/approvals/ticket.ts";
import { escaped } from "../../core/shared/text/visible.ts";
import type { Line } from "../../core/tool/tool.ts";
import type { Html } from "./layout.ts";

/** A longer text takes a browser long. Characters. */
const maxCharacters = 200_000;

/** A text is escaped in parts of this length, until there is enough of it. Characters. */
const partCharacters = 16_000;

/** Renders every argument of a request in full, if its effect shows only the beginning of some. */
export function wholeArguments({ args, effect, fingerprint, ticketId }: Ticket): Html {
  if (!effect.forPerson.facts.some(isCut)) return html``;
  const { text, left } = visibleJson(args);
  return html`<details>
    <summary>
      All arguments in full
      <span class="hidden">${effect.title}, request ${fingerprint}</span>
    </summary>
    <pre tabindex="0" aria-labelledby="title-${ticketId}"><bdi>${text}</bdi></pre>
    ${left > 0 ? html`<p class="small">${left} more characters are not shown.</p>` : ""}
  </details>`;
}

/**
 * Returns the beginning of a value as JSON, and the number of characters that are left out. To escape megabytes would
 * take seconds, during which no call runs.
 */
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
