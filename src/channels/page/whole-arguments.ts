import { html } from "hono/html";
import type { Ticket } from "../../core/approvals/ticket.ts";
import { argumentsInFull } from "../arguments-in-full.ts";
import type { Html } from "./layout.ts";

/** Renders every argument of a request in full, if its effect shows only the beginning of some. */
export function wholeArguments(ticket: Ticket): Html {
  const full = argumentsInFull(ticket);
  if (full === undefined) return html``;
  const { text, left } = full;
  const { effect, fingerprint, ticketId } = ticket;
  return html`<details>
    <summary>
      All arguments in full
      <span class="hidden">${effect.title}, request ${fingerprint}</span>
    </summary>
    <pre tabindex="0" aria-labelledby="title-${ticketId}"><bdi>${text}</bdi></pre>
    ${left > 0 ? html`<p class="small">${left} more characters are not shown.</p>` : ""}
  </details>`;
}
