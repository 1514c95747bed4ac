import { html } from "hono/html";
import { formatSimilar } from "../../core/policy/rules/allow-similar.ts";
import type { Line } from "../../core/tool/tool.ts";
import type { Ticket } from "../../core/approvals/ticket.ts";
import { formatDecision, formatMoment, formatOutcome, formatSpan, whoAsked } from "../words.ts";
import type { Visitor } from "./access.ts";
import { type ValueChange, type Parts, changedParts, pairUp } from "./change.ts";
import type { Html } from "./layout.ts";
import { decidePurpose, noteField, selectionBox } from "./requests/selection-view.ts";
import { wholeArguments } from "./whole-arguments.ts";

/**
 * Renders a waiting request.
 * @param state with `paused` the request can only be denied. With `isSelectable` it has a box and is decided together with
 * others.
 */
export function waitingCard(
  ticket: Ticket,
  visitor: Visitor,
  now: Date,
  { paused, isSelectable }: { paused: boolean; isSelectable: boolean },
): Html {
  const { ticketId } = ticket;
  return html`<li class="card" id="${ticketId}" tabindex="-1" aria-labelledby="title-${ticketId}">
    ${head(ticket)} ${whatHappens(ticket)}
    <dl class="about">
      <div>
        <dt>asked</dt>
        <dd>${time(ticket.createdAt, ago(ticket.createdAt, now))}</dd>
      </div>
      <div>
        <dt>time left</dt>
        <dd>${time(ticket.expiresAt, left(ticket.expiresAt, now))}</dd>
      </div>
      ${asker(ticket)}
    </dl>
    ${isSelectable ? selectionBox(ticket, visitor) : buttons(ticket, visitor, paused)}
  </li>`;
}

function buttons(ticket: Ticket, visitor: Visitor, paused: boolean): Html {
  const { ticketId } = ticket;
  return html`<form method="post" action="${visitor.base}/decide" class="decide">
    <input type="hidden" name="request" value="${ticketId}" />
    <input type="hidden" name="nonce" value="${visitor.nonce(decidePurpose(ticketId))}" />
    ${paused ? html`<p class="small">While paused, this can only be denied.</p>` : button(ticket, "approve", "Approve")}
    ${button(ticket, "deny", "Deny")} ${denyWithWords(ticket)} ${paused ? "" : allowSimilar(ticket)}
  </form>`;
}

/** Renders a denial with a note. The plain Deny button sends the note as well. */
function denyWithWords(ticket: Ticket): Html {
  return html`<details class="more">
    <summary>
      Deny, and say what to do instead <span class="hidden">${nameOf(ticket)}</span>
    </summary>
    ${noteField(`note-${ticket.ticketId}`)}
    ${button(ticket, "again", "Deny, but the assistant may ask again with changes")}
  </details>`;
}

/** Renders a decided or expired request with its outcome. */
export function decidedCard(ticket: Ticket): Html {
  const { ticketId } = ticket;
  return html`<li
    class="card ${ticket.status}"
    id="${ticketId}"
    aria-labelledby="title-${ticketId}"
  >
    ${head(ticket)}
    <p class="outcome">${formatOutcome(ticket)}</p>
    ${"decision" in ticket ? html`<p class="small">${formatDecision(ticket.decision)}</p>` : ""}
    <details>
      <summary>The request <span class="hidden">${ticket.effect.title}</span></summary>
      ${whatHappens(ticket)}
      <dl class="about">
        <div>
          <dt>asked</dt>
          <dd>${time(ticket.createdAt, formatMoment(ticket.createdAt))}</dd>
        </div>
        ${asker(ticket)}
      </dl>
    </details>
  </li>`;
}

/** Describes the rule that the request would create, before the person can accept it. */
function allowSimilar(ticket: Ticket): Html {
  const words = formatSimilar(ticket);
  if (words === undefined) return html``;
  return html`<details class="more">
    <summary>Allow similar requests too <span class="hidden">${nameOf(ticket)}</span></summary>
    <p><bdi>${words}</bdi></p>
    ${button(ticket, "similar", "Approve, and allow these")}
  </details>`;
}

type Verdict = "approve" | "deny" | "again" | "similar";
const buttonClasses = {
  approve: "approve",
  deny: "deny",
  again: "deny",
  similar: "plain",
} as const;

function button(ticket: Ticket, verdict: Verdict, word: string): Html {
  // Buttons and summaries name the request, because a screen reader reads them without their card.
  return html`<button name="verdict" value="${verdict}" class="${buttonClasses[verdict]}">
    ${word} <span class="hidden">${nameOf(ticket)}</span>
  </button>`;
}

function nameOf({ effect, fingerprint }: Ticket): string {
  return `${effect.title}, request ${fingerprint}`;
}

function head({ ticketId, effect, fingerprint }: Ticket): Html {
  return html`<div class="head">
    <h3 id="title-${ticketId}"><bdi>${effect.forPerson.headline}</bdi></h3>
    <p><span class="small">fingerprint</span> <code>${fingerprint}</code></p>
  </div>`;
}

function whatHappens(ticket: Ticket): Html {
  const lines = pairUp(ticket.effect.forPerson.facts);
  if (lines.length === 0) return html``;
  return html`<dl class="effect">
      ${lines.map((line) => ("label" in line ? plainLine(line) : changeLines(line)))}
    </dl>
    ${wholeArguments(ticket)}`;
}

export function plainLine({ label, value }: Line): Html {
  return html`<div class="${label === "note" ? "note" : ""}">
    <dt>${label}</dt>
    <dd><bdi>${value}</bdi></dd>
  </div>`;
}

export function changeLines({ before, after }: ValueChange): Html {
  const parts = changedParts(before.value, after.value);
  return html`<div class="before">
      <dt>${before.label}</dt>
      <dd><del>${marked(parts.before)}</del></dd>
    </div>
    <div class="after">
      <dt>${after.label}</dt>
      <dd><ins>${marked(parts.after)}</ins></dd>
    </div>`;
}

function marked([start, changed, end]: Parts): Html {
  return html`<bdi>${start}${changed === "" ? "" : html`<mark>${changed}</mark>`}${end}</bdi>`;
}

function asker(ticket: Ticket): Html {
  return html`<div>
    <dt>who asked</dt>
    <dd><bdi>${whoAsked(ticket)}</bdi></dd>
  </div>`;
}

function time(at: Date, words: string): Html {
  return html`<time datetime="${at.toISOString()}" title="${formatMoment(at)}">${words}</time>`;
}

const isSoon = (from: Date, to: Date): boolean => to.getTime() - from.getTime() < 60_000;

function ago(at: Date, now: Date): string {
  return isSoon(at, now) ? "just now" : `${formatSpan(at, now)} ago`;
}

function left(until: Date, now: Date): string {
  return isSoon(now, until) ? "less than a minute" : formatSpan(now, until);
}
