import { html } from "hono/html";
import type { Diary } from "../../ports/people/diary.ts";
import type { RecentChanges, Undo } from "../../ports/files/recent-changes.ts";
import { diaryOf } from "../diary.ts";
import type { Visitor } from "./access.ts";
import type { Html } from "./layout.ts";
import {
  activityBody,
  recentSection,
  restoreQuestion,
  undoPurpose,
  undoneNotice,
} from "./record-view.ts";

/** Events that the activity page reads. */
const eventsAtMost = 500;
/** Limit on changes that are shown with the requests, so that they do not displace the requests. */
const recentAtMost = 8;
const dayMs = 86_400_000;

/** The stores for the page's content besides requests. */
export interface PageRecord {
  diary: Diary;
  recentChanges: RecentChanges;
  undo: Undo;
}

const only = ({ principal }: Visitor) => (principal === undefined ? {} : { principal });

/** Renders recent changes and the notice of an undo. */
export async function recentlyDone(
  { recentChanges }: PageRecord,
  visitor: Visitor,
  { now, undone }: { now: Date; undone: string | undefined },
): Promise<{ notice: Html; section: Html }> {
  const from = new Date(now.getTime() - dayMs);
  const changes = await recentChanges.newest({ ...only(visitor), from, limit: recentAtMost });
  const done = changes.find(({ undo }) => undo?.undoId === undone && undo?.state === "undone");
  return {
    notice: done === undefined ? html`` : undoneNotice(done.sentence),
    section: recentSection(visitor, changes),
  };
}

export async function activity(
  { diary }: PageRecord,
  visitor: Visitor,
  { now, command }: { now: Date; command: string },
): Promise<Html> {
  const from = new Date(now.getTime() - 7 * dayMs);
  const found = await diary.events({ ...only(visitor), from, limit: eventsAtMost });
  const isCut = found.length === eventsAtMost;
  return activityBody(visitor, diaryOf(found), { isCut, limit: eventsAtMost, command });
}

/**
 * Undoes the change of a form if this person may. A change of another caller counts as absent.
 * @returns `not ours` for a form that is not from this page, or the question to ask if the file has changed since, or if
 * people are invited to the event
 */
export async function undoFromForm(
  { undo }: PageRecord,
  visitor: Visitor,
  form: { change: string; version: string | null; hasNonce: (purpose: string) => boolean },
): Promise<"done" | "not ours" | { question: Html }> {
  const { change, version: shown } = form;
  if (!form.hasNonce(undoPurpose(change, shown))) return "not ours";
  const offer = await undo.offer(change);
  if (visitor.principal !== undefined && offer.principal !== visitor.principal) return "not ours";
  // A form from a list shows neither version nor invited people. It offers only the newest change of a file.
  const isAsShown =
    shown === null ? offer.isNewest && offer.invited.length === 0 : offer.version === shown;
  if (!isAsShown) return { question: restoreQuestion(visitor, offer) };
  await undo.undo(change, { by: visitor.name, channel: "page", version: offer.version });
  return "done";
}
