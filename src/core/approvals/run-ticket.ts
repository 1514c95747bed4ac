import { approvalTimes } from "./approval.ts";
import type { AuditEvent, AuditRecord } from "../audit/audit.ts";
import type { Log } from "../shared/log.ts";
import { endContent } from "./request-content.ts";
import type { RunEnd, Ticket, Tickets } from "./ticket.ts";
import { ToolError, errorFields } from "../tool/tool-error.ts";
import type { Data } from "../shared/data.ts";

/** Each attempt already waits for the store's own timeout. */
const finishAttempts = 3;

export interface RunSettings {
  tickets: Tickets;
  audit: AuditRecord;
  log: Log;
  processId: string;
  configHash: string;
  execute: (ticket: Ticket) => Promise<Data>;
  sentence: (ticket: Ticket, output: Data) => string;
}

/**
 * Runs an approved request at most once: claim, durable `started` event, execute, finish. Does nothing if another
 * process claimed it or the approval expired. If the process dies during the run, the lease lapses and the request
 * becomes `unknown`.
 */
export async function runTicket(settings: RunSettings, approved: Ticket): Promise<void> {
  const { tickets, audit, log, processId } = settings;
  const { ticketId } = approved;
  if (approved.configHash !== settings.configHash) {
    throw new ToolError(
      "conflict",
      "This was approved for other settings (store or calendar). Nothing was done.",
      {
        hint: "Call again: a new request is made for the present settings.",
      },
    );
  }
  const ticket = await tickets.claim(ticketId, processId, settings.configHash, approvalTimes.lease);
  if (ticket === undefined) return;

  const event = (type: AuditEvent["type"], more: Partial<AuditEvent> = {}): AuditEvent => ({
    type,
    at: new Date(),
    callId: ticketId,
    ticketId,
    principal: ticket.principal,
    client: ticket.client,
    tool: ticket.tool,
    risk: ticket.risk,
    digest: ticket.digest,
    ...more,
  });
  /**
   * Writes the `started` event. If this takes longer than the lease, other processes consider this one dead, and it
   * must not start the run.
   */
  async function announced(): Promise<void> {
    await audit.append(event("started"));
    if (!(await tickets.renew(ticketId, processId, approvalTimes.lease))) {
      throw new Error("the lease lapsed before the start");
    }
  }
  const renewal = setInterval(() => {
    tickets.renew(ticketId, processId, approvalTimes.lease).catch((cause: unknown) => {
      log.warn("could not renew the lease of a running request", { ticketId, cause });
    });
  }, approvalTimes.renewEvery);
  try {
    const end = await announced().then(() => execution(settings, ticket), notStarted);
    await recorded(() => tickets.finish(ticketId, processId, end), end);
    // Not awaited: only the `started` event must be durable before the effect.
    audit.enqueue(
      event("finished", {
        outcome:
          end.status === "failed" ? end.error.kind : end.status === "done" ? "ok" : "unknown",
        content: endContent(end),
        ...(end.status === "done" && { sentence: settings.sentence(ticket, end.output) }),
      }),
    );
  } finally {
    clearInterval(renewal);
  }
}

async function execution(settings: RunSettings, ticket: Ticket): Promise<RunEnd> {
  try {
    return { status: "done", output: await settings.execute(ticket) };
  } catch (thrown) {
    settings.log.warn("an approved request failed", { ticketId: ticket.ticketId, cause: thrown });
    const error =
      thrown instanceof ToolError
        ? thrown
        : new ToolError("internal", "The server failed while it ran.", { sideEffects: "unknown" });
    const status = error.sideEffects === "unknown" ? "unknown" : "failed";
    return { status, error: errorFields(error) };
  }
}

/** Stores the end of the run. If the store stays unreachable, the lease lapses and the request becomes `unknown`. */
async function recorded(finish: () => Promise<unknown>, end: RunEnd): Promise<void> {
  let failure: unknown;
  for (let attempt = 0; attempt < finishAttempts; attempt += 1) {
    try {
      await finish();
      return;
    } catch (thrown) {
      failure = thrown;
    }
  }
  const nothingDone = end.status === "failed";
  throw new ToolError(
    nothingDone ? "unavailable" : "internal",
    nothingDone
      ? "The store of requests cannot be reached. Nothing was done."
      : "The call ran, but its outcome could not be stored. The effect may have happened. Check the target before calling again.",
    { cause: failure, sideEffects: nothingDone ? "none" : "unknown" },
  );
}

/** Returns the end of a run that was not started: its audit event was not stored, or its lease had lapsed. */
function notStarted(cause: unknown): RunEnd {
  const error = new ToolError(
    "unavailable",
    "Its start could not be recorded in time, so nothing was done.",
    { cause },
  );
  return { status: "failed", error: errorFields(error) };
}
