import type { Cancellation } from "../shared/lazy-signal.ts";
import { decideTicket, type ChannelDecision } from "../approvals/decide-ticket.ts";
import type { ChannelsHere } from "../approvals/directions.ts";
import { assertNotPaused } from "../approvals/pause.ts";
import type { TicketRuns } from "../approvals/ticket-runs.ts";
import type { PendingTicket, Ticket, Tickets } from "../approvals/ticket.ts";
import { type AuditRecord, recordBestEffort } from "../audit/audit.ts";
import type { Log } from "../shared/log.ts";
import { ToolError, errorFields } from "../tool/tool-error.ts";
import { failureOf } from "./failure.ts";
import type { OfferedTools } from "./offered-tools.ts";
import { type Outcome, refused } from "./outcome.ts";

/** Continues approval requests after their decision. */
export interface ResumedCalls {
  /**
   * Continues a request for a caller: records a given decision, runs an approved request and returns the outcome. A
   * result counts as delivered if the caller's signal is not aborted.
   */
  readonly resume: (
    ticketId: string,
    caller: Cancellation,
    decision?: ChannelDecision,
  ) => Promise<Outcome>;
  /**
   * Runs an approved request that no caller waits for. Its result is kept for the next identical call. Resolves with
   * false while the request's caller is paused.
   */
  readonly runApproved: (ticketId: string) => Promise<boolean>;
  /** Ends a pending request whose tool is withheld now. Resolves with true if it ended the request. */
  readonly endIfWithheld: (ticket: PendingTicket) => Promise<boolean>;
}

export function createResumedCalls<Ports>(settings: {
  tickets: Tickets;
  audit: AuditRecord;
  log: Log;
  here: ChannelsHere;
  offered: OfferedTools<Ports>;
  runs: TicketRuns;
  outcomeOf: (ticket: Ticket) => Promise<Outcome>;
}): ResumedCalls {
  const { tickets, audit, log, offered, runs, outcomeOf } = settings;

  async function decideOrFind(ticketId: string, decision?: ChannelDecision): Promise<Ticket> {
    const ticket =
      decision === undefined
        ? await tickets.find(ticketId)
        : (await decideTicket({ tickets, audit }, ticketId, decision)).ticket;
    if (ticket !== undefined) return ticket;
    throw new ToolError("not_found", "There is no such request. Nothing was done.");
  }

  async function assertMayRun(ticket: Ticket): Promise<void> {
    await assertNotPaused(settings, offered.known(ticket.tool), ticket.principal);
    offered.assertStillPermitted(ticket);
  }

  async function deliver(ticket: Ticket, caller: Cancellation): Promise<Outcome> {
    const now = await tickets.find(ticket.ticketId);
    if (now?.status === "done" && !caller.aborted) await tickets.deliver(now.ticketId);
    return await outcomeOf(now ?? ticket);
  }

  /** Runs the request. A failure after this point may follow an effect. */
  async function runAndDeliver(ticket: Ticket, caller: Cancellation): Promise<Outcome> {
    const acts = offered.known(ticket.tool).operation !== "reads";
    try {
      await runs.run(ticket);
      return await deliver(ticket, caller);
    } catch (thrown) {
      return refused(failureOf(log, thrown, "resume", acts));
    }
  }

  return {
    resume: async (ticketId, caller, decision) => {
      try {
        const ticket = await decideOrFind(ticketId, decision);
        if (ticket.status !== "approved") return await deliver(ticket, caller);
        await assertMayRun(ticket);
        return await runAndDeliver(ticket, caller);
      } catch (thrown) {
        return refused(failureOf(log, thrown, "resume", false));
      }
    },

    runApproved: async (ticketId) => {
      const ticket = await tickets.find(ticketId);
      if (ticket?.status !== "approved") return true;
      if ((await tickets.pauseOf(ticket.principal)) !== undefined) return false;
      offered.assertStillPermitted(ticket);
      await runs.run(ticket);
      return true;
    },

    endIfWithheld: async (ticket) => {
      const error = offered.endOf(ticket);
      const { ticketId, principal, client, tool, risk, digest } = ticket;
      if (error === undefined || !(await tickets.withdraw(ticketId, errorFields(error))))
        return false;
      await recordBestEffort(audit, {
        type: "refused",
        at: new Date(),
        callId: ticketId,
        ticketId,
        principal,
        client,
        tool,
        risk,
        digest,
        outcome: error.kind,
      });
      return true;
    },
  };
}
