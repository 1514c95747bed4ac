import { html } from "hono/html";
import { whyPaused } from "../../core/approvals/pause.ts";
import { type Pause, everybody } from "../../core/approvals/ticket.ts";
import { formatMoment } from "../words.ts";
import type { Visitor } from "./access.ts";
import type { Html } from "./layout.ts";

/** The scope that this person pauses and resumes by default. */
export const ownScope = ({ principal }: Visitor): string => principal ?? everybody;

/** An approver of one caller must not lift a pause for all. */
export const mayResume = (visitor: Visitor, scope: string): boolean =>
  visitor.principal === undefined || visitor.principal === scope;

/** The purpose in the form's nonce. A changed pause invalidates the old form. */
export const pausePurpose = (scope: string, pause: Pause | undefined): string =>
  `pause ${scope} ${pause === undefined ? "nothing" : pause.at.getTime()}`;

export const isPausedFor = (pauses: readonly Pause[], principal: string): boolean =>
  pauses.some(({ scope }) => scope === everybody || scope === principal);

export function pausedNotice({ scope, by, at, reason }: Pause): Html {
  const whom = scope === everybody ? "" : html` for <bdi>${scope}</bdi>`;
  const why =
    reason === "person"
      ? html` by <bdi>${by}</bdi>, ${formatMoment(at)}`
      : html`, ${formatMoment(at)}: ${whyPaused}, the last by <bdi>${by}</bdi>`;
  return html`<div class="notice bad">
    <p>
      <strong>Paused</strong>${whom}${why}. Nothing that needs approval runs${whom}, and nothing can
      be approved.
    </p>
  </div>`;
}

/** Renders the buttons to pause and resume. */
export function pauseSection(visitor: Visitor, pauses: readonly Pause[]): Html {
  const own = ownScope(visitor);
  const all = pauses.find(({ scope }) => scope === everybody);
  if (all !== undefined && !mayResume(visitor, everybody)) return html``;
  const mine = pauses.filter(({ scope }) => mayResume(visitor, scope));
  const isStopped = all !== undefined || pauses.some(({ scope }) => scope === own);
  return html`<section aria-labelledby="pausing">
    <h2 id="pausing">${mine.length > 0 ? "Resume" : "Pause"}</h2>
    ${mine.map((pause) => pauseForm(visitor, pause.scope, pause))}
    ${isStopped ? "" : html`${pauseForm(visitor, own, undefined)} ${goOnForm(visitor, own)}`}
  </section>`;
}

function goOnForm(visitor: Visitor, scope: string): Html {
  return html`<form method="post" action="${visitor.base}/pause" class="pause">
    <input type="hidden" name="nonce" value="${visitor.nonce(pausePurpose(scope, undefined))}" />
    <input type="hidden" name="scope" value="${scope}" />
    <p id="go-on-means">Resume resets the assistant's call limits. It approves no request.</p>
    <button name="do" value="go-on" class="plain" aria-describedby="go-on-means">Resume</button>
  </form>`;
}

function pauseForm(visitor: Visitor, scope: string, pause: Pause | undefined): Html {
  const whom = scope === everybody || scope === visitor.principal ? "" : ` for ${scope}`;
  const means = `pause-means-${scope}`;
  return html`<form method="post" action="${visitor.base}/pause" class="pause">
    <input type="hidden" name="nonce" value="${visitor.nonce(pausePurpose(scope, pause))}" />
    <input type="hidden" name="scope" value="${scope}" />
    <p id="${means}">
      ${
        pause === undefined
          ? "Until you resume, every call that needs approval is refused. Calls that need no approval still run."
          : "Requests that still wait can be approved again."
      }
    </p>
    <button
      name="do"
      value="${pause === undefined ? "pause" : "resume"}"
      class="plain"
      aria-describedby="${means}"
    >
      ${pause === undefined ? "Pause everything" : `Resume${whom}`}
    </button>
  </form>`;
}
