import { html } from "hono/html";
import type { Pause, Ticket } from "../../core/approvals/ticket.ts";
import { formatOutcome } from "../words.ts";
import type { Visitor } from "./access.ts";
import { decidedCard, waitingCard } from "./card.ts";
import { type Html, layout } from "./layout.ts";
import { fullNotices, selectableOf, selectionForm } from "./requests/selection-view.ts";
import { seenPurpose } from "./requests/seen.ts";
import { isPausedFor, pauseSection, pausedNotice } from "./pause-view.ts";

export interface PageFrame {
  root: string;
  /** True if there is an access page. */
  hasAccess: boolean;
  visitor: Visitor;
  leaveWords: string;
}

export const leavePurpose = "leave";

export interface ListContent {
  /** Oldest first. New requests are added below, so that nothing moves under the pointer. */
  waiting: readonly Ticket[];
  underWay: readonly Ticket[];
  /** The pauses that affect requests on this page. */
  pauses: readonly Pause[];
  now: Date;
  /** Recent changes without approval, and the result of an undo. */
  recent: { notice: Html; section: Html };
  /** The link to mail in quarantine. */
  quarantine: Html | undefined;
  /** The link to the servers with tools to review. */
  servers: Html | undefined;
  /** The requests of the previous form. `late`: another decision came first. */
  decided: readonly { ticket: Ticket; late: boolean }[];
  /** The previous form had no ticked box. */
  nothingTicked: boolean;
}

export function listView(frame: PageFrame, content: ListContent): Html {
  const { visitor } = frame;
  const { waiting, underWay, pauses, now, recent, decided } = content;
  const count = waiting.length;
  const together = selectableOf(waiting);
  return framed(frame, {
    title: count === 0 ? "Nothing waits" : `${count} waiting`,
    here: "waiting",
    body: html`${decided.map(decidedNotice)} ${content.nothingTicked ? nothingTicked : ""}
      ${recent.notice}
      <p id="said" role="status" class="hidden"></p>
      ${pauses.map(pausedNotice)} ${fullNotices(waiting)}
      <section aria-labelledby="waiting">
        <h2
          id="waiting"
          data-paused="${pauses.map(({ scope, at }) => `${scope} ${at.getTime()}`).join()}"
        >
          ${count === 0 ? "No requests are waiting" : `Waiting for you: ${count}`}
        </h2>
        <ol
          class="cards"
          id="cards"
          data-seen="${visitor.nonce(seenPurpose)}"
          data-selection="${together.size > 0 ? "yes" : "no"}"
        >
          ${waiting.map((ticket) =>
            waitingCard(ticket, visitor, now, {
              paused: isPausedFor(pauses, ticket.principal),
              isSelectable: together.has(ticket),
            }),
          )}
        </ol>
        ${selectionForm(visitor, together.size)}
        <p class="small"><a href="${visitor.base}">Reload</a> for new requests.</p>
      </section>
      <div id="under-way">
        ${
          underWay.length === 0
            ? ""
            : html`<section aria-labelledby="decided">
                <h2 id="decided">Approved, not finished</h2>
                <ol class="cards">
                  ${underWay.map(decidedCard)}
                </ol>
              </section>`
        }
      </div>
      ${content.servers ?? ""} ${content.quarantine ?? ""}
      <div id="recent">${recent.section}</div>
      ${pauseSection(visitor, pauses)}`,
  });
}

export function accessView(frame: PageFrame, body: Html): Html {
  return framed(frame, { title: "Access", here: "access", body });
}

export function titledView(frame: PageFrame, title: string, body: Html): Html {
  return framed(frame, { title, here: title === "Activity" ? "activity" : "elsewhere", body });
}

/** Renders the history, newest first. */
export function historyView(frame: PageFrame, ended: readonly Ticket[]): Html {
  return framed(frame, {
    title: "History",
    here: "history",
    body: html`<section aria-labelledby="history">
      <h2 id="history">History</h2>
      ${ended.length === 0 ? html`<p>Nothing yet.</p>` : ""}
      <ol class="cards">
        ${ended.map(decidedCard)}
      </ol>
    </section>`,
  });
}

type Here = "waiting" | "history" | "activity" | "access" | "elsewhere";

const scripts: Readonly<Partial<Record<Here, "live" | "passkey">>> = {
  waiting: "live",
  access: "passkey",
};

function framed(
  { root, visitor, leaveWords, hasAccess }: PageFrame,
  page: { title: string; here: Here; body: Html },
): Html {
  const link = (name: Here, href: string, words: string): Html =>
    html`<a href="${href}" ${page.here === name ? html`aria-current="page"` : ""}>${words}</a>`;
  return layout({
    root,
    title: page.title,
    script: scripts[page.here],
    body: html`<a class="skip" href="#main">Skip to the requests</a>
      <header>
        <h1>Countersign</h1>
        <nav aria-label="Pages">
          ${link("waiting", visitor.base, "Requests")}
          ${link("history", `${visitor.base}/history`, "History")}
          ${link("activity", `${visitor.base}/activity`, "Activity")}
          ${hasAccess ? link("access", `${visitor.base}/access`, "Access") : ""}
        </nav>
      </header>
      <main id="main">${page.body}</main>
      <footer>
        <p>You decide as <bdi>${visitor.name}</bdi>.</p>
        <form method="post" action="${visitor.base}/leave">
          <input type="hidden" name="nonce" value="${visitor.nonce(leavePurpose)}" />
          <button class="plain">${leaveWords}</button>
        </form>
      </footer>`,
  });
}

const nothingTicked = html`<div class="notice bad" role="status" tabindex="-1" autofocus>
  <p>No request was selected. Nothing was decided.</p>
</div>`;

/** Explains why a decision did not count. A request that still waits is paused, or the policy excludes this page. */
function whyLate({ status }: Ticket): string {
  return status === "pending"
    ? "your decision did not count, because this cannot be approved now or on this page. "
    : "your decision did not count, because this was already decided or expired. ";
}

function decidedNotice({ ticket, late }: { ticket: Ticket; late: boolean }): Html {
  return html`<div class="notice ${late ? "bad" : "good"}" role="status" tabindex="-1" autofocus>
    <p>
      <strong><bdi>${ticket.effect.forPerson.headline}</bdi></strong>
      <code>${ticket.fingerprint}</code>: ${late ? whyLate(ticket) : ""} ${formatOutcome(ticket)}
    </p>
  </div>`;
}
