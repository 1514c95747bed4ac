import { html } from "hono/html";
import { maxNoteCharacters } from "../../core/approvals/denial.ts";
import { fatigue } from "../../core/approvals/fatigue.ts";
import type { Ticket } from "../../core/approvals/ticket.ts";
import type { Visitor } from "./access.ts";
import type { Html } from "./layout.ts";

/** What decides a request, as the nonce of each form names it. */
export const decidePurpose = (ticketId: string): string => `decide ${ticketId}`;

/** So many boxes fit a form (read-form.ts); what is beyond keeps buttons of its own. */
const boxesAtMost = 150;

/** The one form of a review; each request's box is part of it wherever it stands. */
const formId = "review";

/** What removes something is looked at by itself, and so is what an earlier version did not say that of. */
export function fitsReview({ effect: { does } }: Ticket): boolean {
  return does !== undefined && does !== "removes";
}

/** Those that are decided together: where there are too many to decide each by itself. */
export function inReview(waiting: readonly Ticket[]): ReadonlySet<Ticket> {
  if (waiting.length <= fatigue.reviewedOneByOne) return new Set();
  return new Set(waiting.filter(fitsReview).slice(0, boxesAtMost));
}

/** A request's own box: unticked, and with the proof that belongs to this request alone. */
export function tick({ ticketId, effect, fingerprint }: Ticket, visitor: Visitor): Html {
  const proof = `${ticketId} ${visitor.nonce(decidePurpose(ticketId))}`;
  return html`<p class="decide tick">
    <label>
      <input type="checkbox" name="ticked" value="${proof}" form="${formId}" autocomplete="off" />
      Choose this one <span class="hidden">${effect.title}, request ${fingerprint}</span>
    </label>
  </p>`;
}

/**
 * What the person says to the assistant with a denial. A text area and not a line: Enter in a line would press the form's
 * first button, which approves.
 */
export function noteField(id: string): Html {
  return html`<label for="${id}">For the assistant (optional, goes with either denial)</label>
    <textarea
      id="${id}"
      name="note"
      rows="2"
      maxlength="${maxNoteCharacters}"
      autocomplete="off"
      placeholder="At 18:00 instead"
    ></textarea>`;
}

/** The buttons for what was ticked. */
export function reviewForm(visitor: Visitor, count: number): Html {
  if (count === 0) return html``;
  return html`<form
    method="post"
    id="${formId}"
    action="${visitor.base}/review"
    class="decide review"
    aria-label="Decide the chosen requests"
  >
    <p class="small">
      Choose above what you have read. What removes something is decided by itself.
    </p>
    <button name="verdict" value="approve" class="approve">Approve the chosen</button>
    <button name="verdict" value="deny" class="deny">Deny the chosen</button>
    <details class="more">
      <summary>Deny, and say what to do instead</summary>
      ${noteField("note-review")}
      <button name="verdict" value="again" class="deny">
        Deny the chosen, but it may ask again with changes
      </button>
    </details>
  </form>`;
}

/** Says whose further requests are refused, as too many wait. */
export function fullNotices(waiting: readonly Ticket[]): Html[] {
  const counts = new Map<string, number>();
  for (const { principal } of waiting) counts.set(principal, (counts.get(principal) ?? 0) + 1);
  const full = [...counts]
    .filter(([, count]) => count >= fatigue.waitingAtMost)
    .map(
      ([principal, count]) =>
        html`${count} requests of <bdi>${principal}</bdi> wait. Every further one takes the place of
          the oldest, or is refused, until you decide some of them.`,
    );
  const gaveWay = waiting.filter(({ tookPlaceOf }) => tookPlaceOf !== undefined).length;
  const lost =
    gaveWay === 0
      ? []
      : [
          html`${gaveWay} older ${gaveWay === 1 ? "request" : "requests"} gave way to newer ones and
          ${gaveWay === 1 ? "was" : "were"} not done. They are listed under History.`,
        ];
  return [...full, ...lost].map((words) => html`<div class="notice bad"><p>${words}</p></div>`);
}
