import { html } from "hono/html";
import { visible } from "../../core/shared/text/visible.ts";
import type { RecentChange, UndoOffer } from "../../ports/files/recent-changes.ts";
import { formatChange, type DiaryDay, type DiaryEntry } from "../diary.ts";
import { formatClock, formatEntry, formatZone } from "../diary-lines.ts";
import { formatMoment } from "../words.ts";
import type { Visitor } from "./access.ts";
import type { Html } from "./layout.ts";

/**
 * The purpose in the nonce of the form that undoes a change.
 * @param version the version that the form shows
 */
export const undoPurpose = (undoId: string, version: string | null): string =>
  version === null ? `undo ${undoId}` : `restore ${undoId} ${version}`;

/** Renders changes without approval, newest first. Empty if there are none. */
export function recentSection(visitor: Visitor, changes: readonly RecentChange[]): Html {
  if (changes.length === 0) return html``;
  return html`<section aria-labelledby="recent-done">
    <h2 id="recent-done">Recently done</h2>
    <ul class="record">
      ${changes.map((change) => {
        return line(visitor, { at: change.at, words: formatChange(change), undo: change.undo });
      })}
    </ul>
    <p class="small"><a href="${visitor.base}/activity">All activity</a></p>
  </section>`;
}

/**
 * Renders the activity list.
 * @param options `limit` is the number of events that were read. `command` is this program as the user types it.
 */
export function activityBody(
  visitor: Visitor,
  days: readonly DiaryDay[],
  { isCut, limit, command }: { isCut: boolean; limit: number; command: string },
): Html {
  // The newest events are of most interest.
  const newestFirst = days.toReversed();
  return html`<h2>Activity of the last seven days</h2>
    <p class="small">Times are in the server's zone (${formatZone()}).</p>
    ${newestFirst.length === 0 ? html`<p>Nothing.</p>` : ""}
    ${newestFirst.map(({ day, entries }, index) => daySection(visitor, { day, entries, index }))}
    ${
      isCut
        ? html`<p class="small">
            Only the newest ${limit} events are shown. <code>${command} activity --week</code> in a
            terminal lists more.
          </p>`
        : ""
    }`;
}

function daySection(
  visitor: Visitor,
  { day, entries, index }: { day: string; entries: readonly DiaryEntry[]; index: number },
): Html {
  return html`<section aria-labelledby="day-${index}">
    <h3 id="day-${index}">${day}</h3>
    <ul class="record">
      ${entries
        .toReversed()
        .map((entry) =>
          line(visitor, { at: entry.at, words: formatEntry(entry), undo: entry.undo }),
        )}
    </ul>
  </section>`;
}

function line(
  visitor: Visitor,
  { at, words, undo }: { at: Date; words: string; undo: RecentChange["undo"] },
): Html {
  return html`<li>
    <time datetime="${at.toISOString()}" title="${formatMoment(at)}">${formatClock(at)}</time>
    <span class="what"><bdi>${words}</bdi>${undo?.state === "undone" ? " (undone)" : ""}</span>
    ${undo?.state === "possible" ? undoForm(visitor, undo, words) : ""}
  </li>`;
}

function undoForm(visitor: Visitor, undo: { undoId: string; until: Date }, words: string): Html {
  const { undoId, until } = undo;
  return html`<form method="post" action="${visitor.base}/undo">
    <input type="hidden" name="change" value="${undoId}" />
    <input type="hidden" name="nonce" value="${visitor.nonce(undoPurpose(undoId, null))}" />
    <button class="plain" title="until ${formatMoment(until)}">
      Undo <span class="hidden">: ${words}, ${undoId}</span>
    </button>
  </form>`;
}

/** Renders the question whether an older version should replace the present one. */
export function restoreQuestion(visitor: Visitor, offer: UndoOffer): Html {
  const { undoId, version, sentence, lines, isNewest, noun } = offer;
  const why = isNewest ? "People are invited to this event" : `The ${noun} has changed since then`;
  return html`<section aria-labelledby="restore">
    <h2 id="restore">${why}</h2>
    <p>
      This would <bdi>${visible(sentence)}</bdi>. The present version is kept and can be restored
      too.
    </p>
    <dl>
      ${lines.map(
        ({ label, value }) =>
          html`<dt>${label}</dt>
            <dd><bdi>${visible(value)}</bdi></dd>`,
      )}
    </dl>
    <form method="post" action="${visitor.base}/undo">
      <input type="hidden" name="change" value="${undoId}" />
      <input type="hidden" name="version" value="${version}" />
      <input type="hidden" name="nonce" value="${visitor.nonce(undoPurpose(undoId, version))}" />
      <button>Restore this version</button>
    </form>
    <p class="small"><a href="${visitor.base}">Back</a> without changing anything.</p>
  </section>`;
}

/** Renders the result of an undo. */
export function undoneNotice(sentence: string): Html {
  return html`<div class="notice good" role="status" tabindex="-1" autofocus>
    <p><strong>Undone:</strong> <bdi>${sentence}</bdi>.</p>
  </div>`;
}
