import { type Continuation, isOpen, refusalOfTarget, requestAfter } from "../approvals/approval.ts";
import type { ChannelsHere } from "../approvals/directions.ts";
import { assertNotPaused } from "../approvals/pause.ts";
import { recentDenial } from "../approvals/recent-denial.ts";
import type { Follower, RunFollowers } from "../approvals/run-followers.ts";
import type { OpenTicket, Ticket, Tickets } from "../approvals/ticket.ts";
import type { AuditRecord } from "../audit/audit.ts";
import type { InformationFlow } from "../flow/flow.ts";
import type { Decided } from "../policy/decide.ts";
import type { Policy } from "../policy/policy.ts";
import { decideByRule } from "../policy/rules/apply-rules.ts";
import type { RuleStore } from "../policy/rules/rule-store.ts";
import type { Log } from "../shared/log.ts";
import type { CallTrail } from "./call-trail.ts";
import { type Findings, type ParsedCall, findEarlier } from "./decision-steps.ts";
import { createNewRequests } from "./new-request.ts";
import { type Outcome, refused, waitingFor } from "./outcome.ts";
import type { ResumedCalls } from "./resume-call.ts";

/** The steps of a call that depend on approval requests. */
export interface ApprovalSteps<Ports> {
  /** Finds the earlier identical call and what it means for this one. Delivers its result to one caller only. */
  lookUp(call: ParsedCall<Ports>, caller: Follower): Promise<Continuation>;
  /** Returns the outcome of the earlier call, or undefined if this call opens a new request. */
  join(
    call: ParsedCall<Ports>,
    earlier: Continuation,
    trail: CallTrail,
    caller: Follower,
  ): Promise<Outcome | undefined>;
  /**
   * Returns the refusal of a call that a person denied a short time ago for the same target.
   * @throws ToolError `forbidden` while this caller is paused
   */
  refuseDenied(call: ParsedCall<Ports>, trail: CallTrail): Promise<Outcome | undefined>;
  /**
   * Stores an approval request and returns it as the outcome. If a rule approves it immediately, returns the result.
   */
  ask(
    call: ParsedCall<Ports>,
    findings: Findings,
    decided: Decided,
    trail: CallTrail,
    caller: Follower,
  ): Promise<Outcome>;
}

export function createApprovalSteps<Ports>(settings: {
  policy: () => Policy;
  rules: RuleStore;
  tickets: Tickets;
  audit: AuditRecord;
  flow?: InformationFlow | undefined;
  log: Log;
  here: ChannelsHere;
  configHash: string;
  approvalTtlMs: number;
  outcomeOf: (ticket: Ticket) => Promise<Outcome>;
  resume: ResumedCalls["resume"];
  followers: RunFollowers;
}): ApprovalSteps<Ports> {
  const { tickets, audit, rules, here, configHash, outcomeOf, followers } = settings;
  const requests = createNewRequests<Ports>(settings);

  async function resume(ticketId: string, caller: Follower): Promise<Outcome> {
    return await followers.follow(ticketId, caller, async () => {
      return await settings.resume(ticketId, caller.signal);
    });
  }

  /** Names only the channels that the policy permits for this client. Another client may have opened the request. */
  function waiting(ticket: OpenTicket, { tool, client }: ParsedCall<Ports>): Outcome {
    const own = settings
      .policy()
      .effectiveFor(ticket.principal, client)
      .channelsFor(tool.operation);
    const channels = ticket.channels.filter((channel) => own.includes(channel));
    return waitingFor({ ...ticket, channels }, here);
  }

  return {
    lookUp: async (call, caller) => {
      const earlier = await findEarlier(tickets, call, configHash);
      if (earlier.kind !== "deliver" || caller.signal.aborted) return earlier;
      if (await tickets.deliver(earlier.ticket.ticketId)) return earlier;
      // A faster identical call took the result, so this one is a later call. Its request tells the person so.
      return requestAfter(earlier.ticket);
    },

    join: async (call, earlier, trail, caller) => {
      if (earlier.kind === "open") return undefined;
      const { ticketId, status } = earlier.ticket;
      if (earlier.kind === "wait") await assertNotPaused(settings, call.tool, call.principal);
      audit.enqueue(trail.event("called", { ticketId, outcome: `same as before: ${status}` }));
      if (earlier.kind === "wait") return waiting(earlier.ticket, call);
      return earlier.kind === "run"
        ? await resume(ticketId, caller)
        : await outcomeOf(earlier.ticket);
    },

    refuseDenied: async ({ tool, args, principal }, trail) => {
      const denied = await recentDenial(settings, tool, args, { principal, configHash });
      if (denied === undefined) return undefined;
      const { ticketId } = denied;
      audit.enqueue(trail.event("called", { ticketId, outcome: "refused before" }));
      return tool.withoutApproval ? await outcomeOf(denied) : refused(refusalOfTarget(denied));
    },

    ask: async (call, findings, decided, trail, caller) => {
      const { ticket, joined } = await requests.open(call, findings, decided);
      if (!joined) {
        await requests.record(ticket, findings, decided, trail);
        // Rules decide only new requests. A person may already be reading an older one.
        const after = await decideByRule({ tickets, audit, rules }, ticket, decided.rules ?? []);
        if (after.status === "approved") return await resume(ticket.ticketId, caller);
      }
      // A tool with a part that needs no approval waits too, because that part is returned only if the request stays
      // undecided.
      return isOpen(ticket) ? waiting(ticket, call) : await outcomeOf(ticket);
    },
  };
}
