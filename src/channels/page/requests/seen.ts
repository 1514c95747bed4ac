import type { Context } from "hono";
import { unseenOf } from "../../../core/approvals/fatigue.ts";
import type { Ticket, Tickets } from "../../../core/approvals/ticket.ts";
import { type Visitor, isPageUpdate, isSame } from "../access.ts";
import { readForm } from "../read-form.ts";

/** The purpose in the nonce of the script's reports. */
export const seenPurpose = "seen";

/** Requests that are visible without scripts before the person scrolls. */
const inFirstView = 3;

/** Requests per report of the script. A tall screen shows fewer. */
const reportedAtMost = 20;

/**
 * Records the requests that a person sees without script: the first ones, if a person opened the page (Fetch metadata:
 * `Sec-Fetch-User`). Updates by the page itself are ignored.
 */
export async function noteFirstView(
  tickets: Pick<Tickets, "markSeen">,
  context: Context,
  oldestFirst: readonly Ticket[],
): Promise<void> {
  const isBrowser = context.req.header("sec-fetch-mode") !== undefined;
  const isByPerson = context.req.header("sec-fetch-user") === "?1";
  if (isPageUpdate(context) || (isBrowser && !isByPerson)) return;
  await tickets.markSeen(unseenOf(oldestFirst.slice(0, inFirstView)));
}

/**
 * Records the requests that the page's script reports: they were in view of a person who used the page.
 * @returns false if the report is from no page of this person
 */
export async function noteReported(
  tickets: Pick<Tickets, "list" | "markSeen">,
  context: Context,
  visitor: Visitor,
): Promise<boolean> {
  const form = await readForm(context);
  if (!isSame(form?.get("nonce") ?? "", visitor.nonce(seenPurpose))) return false;
  const reported = new Set((form?.get("seen") ?? "").split(",").slice(0, reportedAtMost));
  const { principal } = visitor;
  const only = principal === undefined ? {} : { principal };
  const waiting = await tickets.list({ ...only, statuses: ["pending"], limit: 200 });
  await tickets.markSeen(unseenOf(waiting.filter(({ ticketId }) => reported.has(ticketId))));
  return true;
}
