import {
  type Continuation,
  approvalTimes,
  isOpen,
  refusalOfTarget,
  requestAfter,
} from "../approvals/approval.ts";
import type { ChannelsHere } from "../approvals/directions.ts";
import { effectOf } from "../approvals/effect.ts";
import { assertNotPaused } from "../approvals/pause.ts";
import { recentDenial } from "../approvals/recent-denial.ts";
import type { Follower, RunFollowers } from "../approvals/run-followers.ts";
import { requestContent } from "../approvals/request-content.ts";
import { namedIfShown } from "../approvals/shown-before.ts";
import type { OpenTicket, Ticket, Tickets } from "../approvals/ticket.ts";
import type { AuditRecord } from "../audit/audit.ts";
import type { InformationFlow } from "../flow/flow.ts";
import { sendingEffect, similarSending } from "../flow/sending-effect.ts";
import type { Decided } from "../policy/decide.ts";
import type { Policy } from "../policy/policy.ts";
import { decideByRule } from "../policy/rules/apply-rules.ts";
import type { RuleStore } from "../policy/rules/rule-store.ts";
import { fingerprintOf, randomId } from "../shared/digest.ts";
import type { Log } from "../shared/log.ts";
import { escaped } from "../shared/text/visible.ts";
import type { Line } from "../tool/tool.ts";
import type { CallTrail } from "./call-trail.ts";
import { type Findings, type ParsedCall, findEarlier } from "./decision-steps.ts";
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
  const { tickets, audit, rules, log, here, configHash, outcomeOf, followers } = settings;

  async function resume(ticketId: string, caller: Follower): Promise<Outcome> {
    return await followers.follow(ticketId, caller, async () => {
      return await settings.resume(ticketId, caller.signal);
    });
  }

  const nameOf: InformationFlow["nameOf"] = async (source) =>
    (await settings.flow?.nameOf(source)) ?? source.kind;

  /** Returns the lines about the sources of arguments. If this fails, the request is shown without them. */
  async function origins(principal: string, args: Ticket["args"]): Promise<readonly Line[]> {
    try {
      return (await settings.flow?.origins(principal, args)) ?? [];
    } catch (cause) {
      log.warn("the sources of arguments could not be read", { cause });
      return [];
    }
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

  async function openRequest(
    { tool, args, principal, client, digest }: ParsedCall<Ports>,
    { earlier, prepared, flow }: Findings,
    { risk }: Decided,
  ): Promise<{ ticket: Ticket; joined: boolean }> {
    const ticketId = randomId("ap");
    const resolved = prepared.args ?? args;
    const { lead, afterUnknown = false } = earlier?.kind === "open" ? earlier : {};
    const more = { lead, afterUnknown, resolved: prepared.args };
    return await tickets.open(
      {
        ticketId,
        principal,
        tool: tool.name,
        risk,
        args: resolved,
        digest,
        target: prepared.version,
        actsOn: tool.actsOn?.(args),
        effect:
          flow === undefined
            ? effectOf(
                tool,
                args,
                await namedIfShown(prepared.effect, tickets, { principal, configHash }),
                { ...more, origins: await origins(principal, resolved) },
              )
            : effectOf(tool, args, await sendingEffect(tool, args, flow, nameOf), more),
        fingerprint: fingerprintOf(ticketId, digest),
        client,
        configHash,
        channels: settings.policy().effectiveFor(principal, client).channelsFor(tool.operation),
        similar:
          flow === undefined
            ? tool.similar?.(resolved)
            : similarSending(flow, Object.keys(tool.input.shape)),
      },
      settings.approvalTtlMs,
    );
  }

  async function recordAsked(
    ticket: Ticket,
    { effect }: Pick<Findings["prepared"], "effect">,
    decided: Decided,
    trail: CallTrail,
  ): Promise<void> {
    const { ticketId, replaces: older } = ticket;
    const why = older === undefined ? [] : [`it replaced the older request ${older}`];
    const outcome = [...decided.reasons, ...why].join("; ");
    const named = effect?.isRecorded && { sentence: asWish(effect.headline) };
    const content = requestContent(ticket);
    await audit.append(trail.event("asked", { ticketId, outcome, content, ...named }));
  }

  /** Returns a headline in the form that follows "to", like the sentences of tools. */
  function asWish(headline: string): string {
    return escaped(headline.charAt(0).toLowerCase() + headline.slice(1));
  }

  function purgeEnded(): void {
    tickets.purge(approvalTimes.keepEnded).catch((cause: unknown) => {
      log.warn("old requests could not be removed", { cause });
    });
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
      const { ticket, joined } = await openRequest(call, findings, decided);
      if (!joined) {
        await recordAsked(ticket, findings.prepared, decided, trail);
        // Not awaited: requests are rare enough to clean up at each one.
        purgeEnded();
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
