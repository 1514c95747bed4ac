import type { AuditLog } from "./audit.ts";
import { randomId } from "./digest.ts";
import { type Tickets, everybody } from "./ticket.ts";

/** Stops what needs approval, or lets it go on, and puts it on record. Doing it twice changes nothing. */
export async function setPause(
  stores: { tickets: Tickets; audit: AuditLog },
  { scope, by, paused }: { scope: string; by: string; paused: boolean },
): Promise<void> {
  const { tickets, audit } = stores;
  const changed = paused ? await tickets.pause(scope, by) : await tickets.resume(scope);
  if (!changed) return;
  const whose = scope === everybody ? "everything" : `everything of ${scope}`;
  await audit.append({
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
