import { html } from "hono/html";
import { type Pause, type Ticket, everybody } from "../../core/ticket.ts";
import { moment, outcomeInWords } from "../words.ts";
import type { Visitor } from "./access.ts";
import { decidedCard, waitingCard } from "./card.ts";
import { type Html, layout } from "./layout.ts";

export interface PageFrame {
  root: string;
  visitor: Visitor;
  leaveWords: string;
}

/** What a form of the page does besides deciding, as its nonce names it; a pause that has changed makes the old form useless. */
export const pausePurpose = (pause: Pause | undefined): string =>
  `pause ${pause === undefined ? "nothing" : `${pause.scope} ${pause.at.getTime()}`}`;
export const leavePurpose = "leave";

export interface ListContent {
  /** Oldest first: what is new comes below and moves nothing that a hand is about to touch. */
  waiting: readonly Ticket[];
  underWay: readonly Ticket[];
  pause: Pause | undefined;
  now: Date;
  /** The request that was decided by the form before. `late`: it had been decided already. */
  decided: { ticket: Ticket; late: boolean } | undefined;
}

export function listView(frame: PageFrame, content: ListContent): Html {
  const { visitor } = frame;
  const { waiting, underWay, pause, now, decided } = content;
  const count = waiting.length;
  return framed(frame, {
    title: count === 0 ? "Nothing waits" : `${count} waiting`,
    here: "waiting",
    body: html`${decided === undefined ? "" : decidedNotice(decided)}
      <p id="said" role="status" class="hidden"></p>
      ${pause === undefined ? "" : pausedNotice(pause)}
      <section aria-labelledby="waiting">
        <h2 id="waiting" data-paused="${pause === undefined ? "no" : "yes"}">
          ${count === 0 ? "Nothing waits for you" : `Waiting for you: ${count}`}
        </h2>
        <ol class="cards" id="cards">
          ${waiting.map((ticket) => waitingCard(ticket, visitor, now, pause !== undefined))}
        </ol>
        <p class="small"><a href="${visitor.base}">Look again</a> for new requests.</p>
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
      ${pauseSection(visitor, pause)}`,
  });
}

/** Newest first. */
export function historyView(frame: PageFrame, ended: readonly Ticket[]): Html {
  return framed(frame, {
    title: "History",
    here: "history",
    body: html`<section aria-labelledby="history">
      <h2 id="history">What was decided</h2>
      ${ended.length === 0 ? html`<p>Nothing yet.</p>` : ""}
      <ol class="cards">
        ${ended.map(decidedCard)}
      </ol>
    </section>`,
  });
}

function framed(
  { root, visitor, leaveWords }: PageFrame,
  page: { title: string; here: "waiting" | "history"; body: Html },
): Html {
  const link = (name: "waiting" | "history", href: string, words: string): Html =>
    html`<a href="${href}" ${page.here === name ? html`aria-current="page"` : ""}>${words}</a>`;
  return layout({
    root,
    title: page.title,
    ...(page.here === "waiting" && { script: "live" as const }),
    body: html`<a class="skip" href="#main">Skip to the requests</a>
      <header>
        <h1>Countersign</h1>
        <nav aria-label="Pages">
          ${link("waiting", visitor.base, "Requests")}
          ${link("history", `${visitor.base}/history`, "History")}
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

function decidedNotice({ ticket, late }: { ticket: Ticket; late: boolean }): Html {
  return html`<div class="notice ${late ? "bad" : "good"}" role="status" tabindex="-1" autofocus>
    <p>
      <strong>${ticket.effect.title}</strong> <code>${ticket.fingerprint}</code>:
      ${late ? "your answer did not count, as this was decided before or its time was over. " : ""}
      ${outcomeInWords(ticket)}
    </p>
  </div>`;
}

function pausedNotice({ scope, by, at }: Pause): Html {
  return html`<div class="notice bad">
    <p>
      <strong>Paused</strong> by <bdi>${by}</bdi>, ${moment(at)}: nothing that needs approval
      runs${scope === everybody ? "" : html` for <bdi>${scope}</bdi>`}, and nothing can be approved.
    </p>
  </div>`;
}

function pauseSection(visitor: Visitor, pause: Pause | undefined): Html {
  const { base, principal } = visitor;
  // Who may decide for one may not lift what stops everybody.
  if (pause !== undefined && pause.scope !== (principal ?? everybody)) return html``;
  const words =
    pause === undefined
      ? "Until you resume, every call that needs approval is refused. What only reads goes on."
      : "Requests that still wait can be approved again.";
  return html`<section aria-labelledby="pausing">
    <h2 id="pausing">${pause === undefined ? "Stop" : "Go on"}</h2>
    <form method="post" action="${base}/pause" class="pause">
      <input type="hidden" name="nonce" value="${visitor.nonce(pausePurpose(pause))}" />
      <p id="pause-means">${words}</p>
      <button
        name="do"
        value="${pause === undefined ? "pause" : "resume"}"
        class="plain"
        aria-describedby="pause-means"
      >
        ${pause === undefined ? "Pause everything" : "Resume"}
      </button>
    </form>
  </section>`;
}
