import { type AuditLog, putOnRecord } from "./audit.ts";
import { randomId } from "./digest.ts";
import { type Tickets, everybody } from "./ticket.ts";
import { ToolError } from "./tool-error.ts";

/**
 * Throws `forbidden` for a call that only a person could let go on. A tool that answers without approval goes on doing that:
 * its ticket waits, and the claim refuses to run it.
 */
export async function mustNotBePaused(
  tickets: Tickets,
  tool: { withoutApproval: unknown },
  principal: string,
): Promise<void> {
  if (tool.withoutApproval !== undefined) return;
  if ((await tickets.pauseOf(principal)) === undefined) return;
  throw new ToolError(
    "forbidden",
    "The user has paused everything that needs approval. Nothing was done.",
    { hint: "Tell the user. Only the user can resume it; do not try another way." },
  );
}

/** Stops what needs approval, or lets it go on, and puts it on record. Doing it twice changes nothing. */
export async function setPause(
  stores: { tickets: Tickets; audit: AuditLog },
  { scope, by, paused }: { scope: string; by: string; paused: boolean },
): Promise<void> {
  const { tickets, audit } = stores;
  const changed = paused ? await tickets.pause(scope, by) : await tickets.resume(scope);
  if (!changed) return;
  const whose = scope === everybody ? "everything" : `everything of ${scope}`;
  await putOnRecord(audit, {
    type: "decided",
    at: new Date(),
    callId: randomId("pause"),
    principal: scope,
    client: "approval page",
    tool: "pause",
    sentence: `${paused ? "paused" : "resumed"} ${whose}`,
    outcome: `${paused ? "pause" : "resume"} (page, ${by})`,
  });
}
