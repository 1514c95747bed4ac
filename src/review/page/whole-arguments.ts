import { html } from "hono/html";
import type { Ticket } from "../../core/approvals/ticket.ts";
import { escaped } from "../../core/shared/text/visible.ts";
import type { Line } from "../../core/tool/tool.ts";
import type { Html } from "./layout.ts";

/** A longer text takes a browser long. Characters. */
const maxCharacters = 200_000;

/** Renders every argument of a request in full, if its effect shows only the beginning of some. */
export function wholeArguments({ args, effect, fingerprint, ticketId }: Ticket): Html {
  if (!effect.forPerson.facts.some(isCut)) return html``;
  const lines = JSON.stringify(args, undefined, 2).split("\n").map(escaped).join("\n");
  const left = lines.length - maxCharacters;
  return html`<details>
    <summary>
      All arguments in full
      <span class="hidden">${effect.title}, request ${fingerprint}</span>
    </summary>
    <pre
      tabindex="0"
      aria-labelledby="title-${ticketId}"
    ><bdi>${lines.slice(0, maxCharacters)}</bdi></pre>
    ${left > 0 ? html`<p class="small">${left} more characters are not shown.</p>` : ""}
  </details>`;
}

/** Returns whether a line shows only a part: of a value, of the values, or of an argument's long name. */
function isCut({ label, value }: Line): boolean {
  return label.includes("…") || /(?:^| )and \d+ more(?: values?)?$/.test(value);
}
