import { type AuditRecord, recordBestEffort } from "../audit/audit.ts";
import { randomId } from "../shared/digest.ts";
import { type ChannelsHere, whereToResume } from "./directions.ts";
import { fatigue } from "./fatigue.ts";
import { type ApprovalChannel, type Pause, type Tickets, everybody } from "./ticket.ts";
import { ToolError } from "../tool/tool-error.ts";

/** The reason for an automatic pause. */
export const whyPaused = `${fatigue.denialsBeforePause} requests were denied within ${fatigue.denialsWithinMs / 60_000} minutes`;

/**
 * Throws `forbidden` during a pause for a call that needs approval. A tool with a result without approval still
 * returns that result. Its request stays open, and the claim refuses to run it.
 */
export async function assertNotPaused(
  { tickets, here }: { tickets: Tickets; here: ChannelsHere },
  tool: { withoutApproval: unknown },
  principal: string,
): Promise<void> {
  if (tool.withoutApproval !== undefined) return;
  const pause = await tickets.pauseOf(principal);
  if (pause === undefined) return;
  const why =
    pause.reason === "person"
      ? "The user has paused everything that needs approval."
      : `Everything that needs approval is paused, because ${whyPaused}.`;
  throw new ToolError("forbidden", `${why} Nothing was done.`, {
    hint: `Tell the user, and ask what is wanted instead. Only the user can resume it, ${whereToResume(here, principal)}. Do not try another way.`,
  });
}

/** Returns the scope of a pause in words: `everything`, or `everything of alice`. */
export function everythingOf(scope: string): string {
  return scope === everybody ? "everything" : `everything of ${scope}`;
}

/** Returns the callers in a pause's scope in words. */
export function whoIn(scope: string): string {
  return scope === everybody ? "all callers" : scope;
}

/**
 * Pauses or resumes calls that need approval, and audits it. A second pause changes nothing. A resume without a pause
 * still renews the budgets.
 */
export async function setPause(
  stores: { tickets: Tickets; audit: AuditRecord },
  {
    scope,
    by,
    paused,
    channel,
  }: { scope: string; by: string; paused: boolean; channel: ApprovalChannel },
): Promise<void> {
  const { tickets, audit } = stores;
  const changed = paused ? await tickets.pause(scope, by) : await tickets.resume(scope, by);
  if (paused && !changed) return;
  const did = paused ? "paused" : "resumed";
  await recordBestEffort(audit, {
    type: "decided",
    at: new Date(),
    callId: randomId("pause"),
    principal: scope,
    client: channel === "page" ? "approval page" : channel,
    tool: "pause",
    sentence:
      paused || changed
        ? `${did} ${everythingOf(scope)}`
        : `reset the call limits of ${whoIn(scope)}`,
    outcome: `${paused ? "pause" : "resume"} (${channel}, ${by})`,
  });
}

/**
 * Resumes every pause that this person may end. Without any pause it renews the budgets of `scope`. Resolves with the
 * resumed scopes.
 */
export async function resumeAll(
  stores: { tickets: Tickets; audit: AuditRecord },
  {
    mayResume,
    scope: own,
    ...who
  }: { mayResume: (scope: string) => boolean; scope: string; by: string; channel: ApprovalChannel },
): Promise<readonly string[]> {
  const pauses = await stores.tickets.pauses();
  const scopes = pauses.map(({ scope }) => scope).filter(mayResume);
  for (const scope of scopes.length > 0 ? scopes : [own]) {
    await setPause(stores, { ...who, scope, paused: false });
  }
  return scopes;
}

/** Audits an automatic pause together with its cause. */
export async function recordAutomaticPause(audit: AuditRecord, { scope }: Pause): Promise<void> {
  await recordBestEffort(audit, {
    type: "decided",
    at: new Date(),
    callId: randomId("pause"),
    principal: scope,
    client: "countersign",
    tool: "pause",
    sentence: `paused everything of ${scope}, because ${whyPaused}`,
    outcome: "pause (too many denials)",
  });
}
