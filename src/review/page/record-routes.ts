import { html } from "hono/html";
import type { Diary } from "../../ports/diary.ts";
import type { RecentChanges, Undo } from "../../ports/recent-changes.ts";
import { diaryOf } from "../diary.ts";
import type { Visitor } from "./access.ts";
import type { Html } from "./layout.ts";
import { activityBody, recentSection, undoPurpose, undoneNotice } from "./record-view.ts";

/** Events that the page of what happened reads. */
const eventsAtMost = 500;
/** Changes beside the requests: more would push them away. */
const recentAtMost = 8;
const dayMs = 86_400_000;

/** What the page tells besides requests. */
export interface PageRecord {
  diary: Diary;
  recentChanges: RecentChanges;
  undo: Undo;
}

const only = ({ principal }: Visitor) => (principal === undefined ? {} : { principal });

/** What was done lately, with the notice of what has just been undone. */
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

export async function activity({ diary }: PageRecord, visitor: Visitor, now: Date): Promise<Html> {
  const from = new Date(now.getTime() - 7 * dayMs);
  const found = await diary.events({ ...only(visitor), from, limit: eventsAtMost });
  const isCut = found.length === eventsAtMost;
  return activityBody(visitor, diaryOf(found), { isCut, limit: eventsAtMost });
}

/**
 * Undoes what the form names, where this person may: what is another's is as absent as what never was. False for a form that
 * is not one of this page.
 */
export async function undoFromForm(
  { undo }: PageRecord,
  visitor: Visitor,
  form: { change: string; hasNonce: (purpose: string) => boolean },
): Promise<boolean> {
  if (!form.hasNonce(undoPurpose(form.change))) return false;
  const offer = await undo.look(form.change);
  if (visitor.principal !== undefined && offer.principal !== visitor.principal) return false;
  await undo.undo(form.change, { by: visitor.name, door: "page" });
  return true;
}
