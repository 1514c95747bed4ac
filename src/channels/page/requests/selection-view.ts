import { html } from "hono/html";
import { maxNoteCharacters } from "../../../core/approvals/denial.ts";
import { fatigue } from "../../../core/approvals/fatigue.ts";
import type { Ticket } from "../../../core/approvals/ticket.ts";
import type { Visitor } from "../access.ts";
import type { Html } from "../layout.ts";

/** The purpose in the nonce of each form that decides a request. */
export const decidePurpose = (ticketId: string): string => `decide ${ticketId}`;

/** Boxes per form (read-form.ts). Further requests keep their own buttons. */
const boxesAtMost = 150;

/** The one form of a selection. Each request's box belongs to it. */
const formId = "selection";

/**
 * Returns whether a request may be decided together with others. Deletions, and the request about a wider
 * policy file, are decided one by one.
 */
export function mayBeSelected({ effect: { operation } }: Ticket): boolean {
  return operation !== undefined && operation !== "removes";
}

/** Returns the requests that are decided together, if there are too many for single decisions. */
export function selectableOf(waiting: readonly Ticket[]): ReadonlySet<Ticket> {
  if (waiting.length <= fatigue.decidedOneByOne) return new Set();
  return new Set(waiting.filter(mayBeSelected).slice(0, boxesAtMost));
}

/** Renders a request's box: unticked, with the proof for this request alone. */
export function selectionBox({ ticketId, effect, fingerprint }: Ticket, visitor: Visitor): Html {
  const proof = `${ticketId} ${visitor.nonce(decidePurpose(ticketId))}`;
  return html`<p class="decide tick">
    <label>
      <input type="checkbox" name="ticked" value="${proof}" form="${formId}" autocomplete="off" />
      Select this one <span class="hidden">${effect.title}, request ${fingerprint}</span>
    </label>
  </p>`;
}

/**
 * Renders the field for a person's note with a denial. A text area, because Enter in a single-line field would press
 * the form's first button, which approves.
 */
export function noteField(id: string): Html {
  return html`<label for="${id}">Note for the assistant (optional, sent with either denial)</label>
    <textarea
      id="${id}"
      name="note"
      rows="2"
      maxlength="${maxNoteCharacters}"
      autocomplete="off"
      placeholder="At 18:00 instead"
    ></textarea>`;
}

/** Renders the buttons for the ticked requests. */
export function selectionForm(visitor: Visitor, count: number): Html {
  if (count === 0) return html``;
  return html`<form
    method="post"
    id="${formId}"
    action="${visitor.base}/selection"
    class="decide selection"
    aria-label="Decide the selected requests"
  >
    <p class="small">Select the requests that you have read. Deletions are decided one by one.</p>
    <button name="verdict" value="approve" class="approve">Approve the selected</button>
    <button name="verdict" value="deny" class="deny">Deny the selected</button>
    <details class="more">
      <summary>Deny, and say what to do instead</summary>
      ${noteField("note-selection")}
      <button name="verdict" value="again" class="deny">
        Deny the selected, but the assistant may ask again with changes
      </button>
    </details>
  </form>`;
}

/** Renders notices for callers whose further requests are refused because too many wait. */
export function fullNotices(waiting: readonly Ticket[]): Html[] {
  const counts = new Map<string, number>();
  for (const { principal } of waiting) counts.set(principal, (counts.get(principal) ?? 0) + 1);
  const full = [...counts]
    .filter(([, count]) => count >= fatigue.waitingAtMost)
    .map(
      ([principal, count]) =>
        html`${count} requests of <bdi>${principal}</bdi> are waiting. Every further one replaces
          the oldest, or is refused, until you decide some of them.`,
    );
  const replaced = waiting.filter(({ replaces }) => replaces !== undefined).length;
  const lost =
    replaced === 0
      ? []
      : [
          html`${replaced} older ${replaced === 1 ? "request" : "requests"} replaced by newer ones
          and ${replaced === 1 ? "was" : "were"} not done. They are listed under History.`,
        ];
  return [...full, ...lost].map((words) => html`<div class="notice bad"><p>${words}</p></div>`);
}
