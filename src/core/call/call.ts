import {
  type Continuation,
  approvalTimes,
  continuation,
  isOpen,
  refusalOfTarget,
} from "../approvals/approval.ts";
import type { AuditLog } from "../audit/audit.ts";
import type { Budget } from "./budget.ts";
import { type Decided, decide } from "../policy/decide.ts";
import { type CallTrail, countedIds, startTrail } from "./call-trail.ts";
import { decideTicket, type ChannelDecision } from "../approvals/decide-ticket.ts";
import { fingerprintOf, randomId } from "../shared/digest.ts";
import type { ChannelsHere } from "../approvals/directions.ts";
import { effectOf } from "../approvals/effect.ts";
import type { Log } from "../shared/log.ts";
import { createRepeatedFailureGuard } from "./loops.ts";
import { parseArguments } from "./parse-arguments.ts";
import { mustNotBePaused } from "../approvals/pause.ts";
import { offeredTools } from "./offered-tools.ts";
import type { Policy } from "../policy/policy.ts";
import { decideByRule, decideWithRules } from "../policy/rules/apply-rules.ts";
import type { RuleStore } from "../policy/rules/rule-store.ts";
import { createOutcomeOf, done, type Outcome, refused, waitingFor } from "./outcome.ts";
import type { OpenTicket, Tickets } from "../approvals/ticket.ts";
import type { OutputOf } from "../tool/strangers.ts";
import { recentDenial } from "../approvals/recent-denial.ts";
import { createTicketRuns } from "../approvals/ticket-runs.ts";
import type { Prepared, Tool } from "../tool/tool.ts";
import { ToolError, asToolError } from "../tool/tool-error.ts";
import { createToolExecutor } from "./tool-executor.ts";

/** One call as an approval channel received it. `client` and `turn` are the client's own words. */
export interface CallRequest {
  tool: string;
  arguments: unknown;
  principal: string;
  client: string;
  turn?: string;
  signal: AbortSignal;
}

export interface CallPipelineSettings<Ports> {
  /** Only tools whose every port is there. */
  tools: readonly Tool<Ports>[];
  ports: Ports;
  /** As it is now: a person may change it while the program runs. */
  policy: () => Policy;
  rules: RuleStore;
  budget: Budget;
  tickets: Tickets;
  audit: AuditLog;
  log: Log;
  /** Names this process in leases. */
  processId: string;
  /** What texts for a model may name. */
  here: ChannelsHere;
  configHash: string;
  approvalTtlMs: number;
  /** A call that takes longer than this is answered with `timeout`. */
  callTimeoutMs: number;
}

export interface CallPipeline {
  call(request: CallRequest): Promise<Outcome>;
  /**
   * Goes on with a ticket for a caller: decides it where a decision is given, runs it where it is approved, and reports how
   * it stands. A result counts as delivered unless the caller's signal says that nobody listens any more.
   */
  resume(ticketId: string, caller: AbortSignal, decision?: ChannelDecision): Promise<Outcome>;
  /** Runs an approved ticket that nobody waits for: its result stays for the next identical call. False while it is paused. */
  runApproved(ticketId: string): Promise<boolean>;
  /** The schema of what this tool answers. Undefined for one that is not there. */
  readonly outputOf: OutputOf;
  /** Resolves when nothing that was started is still running. */
  idle(): Promise<void>;
}

type Data = Readonly<Record<string, unknown>>;

/**
 * The one pipeline of PRODUCT section 3: find, parse, policy, open or finished ticket, budget, prepare, approval, execute,
 * check output, audit. The ticket comes before the budget because joining an open request is not counted.
 */
export function createCallPipeline<Ports>(settings: CallPipelineSettings<Ports>): CallPipeline {
  const { tools, ports, rules, budget, tickets, audit, log, configHash, here } = settings;
  const offered = offeredTools(tools, settings.policy);
  const work = createToolExecutor(ports, { timeoutMs: settings.callTimeoutMs, log });
  const nextCallId = countedIds(randomId("call"));
  const loops = createRepeatedFailureGuard();
  const known = (name: string): Tool<Ports> => offered.known(name);
  const standing = createOutcomeOf({ ...settings, known });
  const runs = createTicketRuns({ ...settings, known, work, loops });

  async function call(request: CallRequest): Promise<Outcome> {
    const trail = startTrail(nextCallId(), request, offered.has(request.tool));
    let end: "refused" | "called" | "finished" = "refused";
    let acted = false;
    try {
      const policy = settings.policy();
      const tool = offered.find(request.tool, policy.viewOf(request.principal, request.client));
      const args = parseArguments(tool, request.arguments);
      trail.describe(tool, args);
      loops.assertNotRepeating(trail.identity());
      const subject = {
        tool: tool.name,
        principal: request.principal,
        client: request.client,
        args,
      };

      const declared = tool.risk === "dynamic" ? "low" : tool.risk;
      const first = permitted(
        decide(subject, { policy, risk: declared, afterUnknown: false }),
        tool,
      );

      let lead: string | undefined;
      let afterUnknown = false;
      if (first.verdict === "ask" || tool.prepare !== undefined) {
        const identical = { ...trail.identity(), configHash };
        const { ticket, ran, now } = await tickets.findIdentical(identical);
        let next = continuation(ticket, now, ran);
        // An identical call may be faster and have the result: then this one is a later one, and the person is told so.
        const isHeard = !request.signal.aborted;
        if (next.do === "deliver" && isHeard && !(await tickets.deliver(next.ticket.ticketId))) {
          next = continuation({ ...next.ticket, delivered: true }, now);
        }
        const joined = await join(tool, next, request, trail);
        if (joined !== undefined) return joined;
        if (next.do === "open") ({ lead, afterUnknown } = next);
      }

      const { principal, digest } = trail.identity();
      if (first.verdict === "ask") {
        const stopped = await refusedBefore(tool, args, trail);
        if (stopped !== undefined) return stopped;
      }
      const { client, turn } = request;
      const spending = { principal, client, turn, digest, risk: first.risk };
      const counted = tool.free ? undefined : budget.spend(spending);
      if (counted !== undefined) await counted;

      const prepared =
        tool.prepare === undefined
          ? {}
          : await work.prepare(tool, args, request).catch(async (thrown: unknown) => {
              await budget.refundApproval(spending);
              throw thrown;
            });
      const risk = prepared.risk ?? declared;
      const facts = { policy, risk, afterUnknown };
      const resolved = { ...subject, args: prepared.args ?? args };
      const decided = permitted(decide(resolved, facts), tool);
      trail.rate(decided.risk);

      if (decided.verdict === "ask") {
        if (first.verdict !== "ask") {
          const stopped = await refusedBefore(tool, args, trail);
          if (stopped !== undefined) return stopped;
          if (first.risk === "low") await budget.raise({ ...spending, risk: decided.risk });
        }
        const asked = await decideWithRules(rules, resolved, facts, configHash);
        return await ask(tool, args, prepared, asked, trail, lead, request.signal);
      }

      const isReported = decided.verdict === "report";
      // A low-risk call is one event, written when its outcome is known. It waits where the log is behind.
      await (isReported ? audit.append(trail.event("started")) : audit.backpressure());
      end = isReported ? "finished" : "called";
      acted = tool.operation !== "reads";
      const output = await work.execute(tool, prepared.args ?? args, {
        principal: request.principal,
        callId: trail.callId,
        version: prepared.version,
        signal: request.signal,
      });
      loops.succeeded({ principal, digest }, acted);
      const sentence = tool.describe(args, output);
      audit.enqueue(trail.event(end, { sentence, outcome: "ok" }));
      return done(tool, args, output, isReported);
    } catch (thrown) {
      const failed = failure(thrown, request.tool, acted);
      const error = loops.failed(request, trail.identity().digest, failed);
      audit.enqueue(trail.event(end, { outcome: error.kind }));
      return refused(error);
    }
  }

  /** The outcome of an identical call that came before; undefined where this one starts anew. */
  async function join(
    tool: Tool<Ports>,
    next: Continuation,
    request: CallRequest,
    trail: CallTrail,
  ): Promise<Outcome | undefined> {
    if (next.do === "open") return undefined;
    const { ticketId, status } = next.ticket;
    if (next.do === "wait") await mustNotBePaused(settings, tool, request.principal);
    audit.enqueue(trail.event("called", { ticketId, outcome: `same as before: ${status}` }));
    if (next.do === "wait") return waiting(next.ticket, tool, request.client);
    return next.do === "run" ? await resume(ticketId, request.signal) : await standing(next.ticket);
  }

  /** What becomes of a call that a person stopped before it was made; undefined where a person may be asked. */
  async function refusedBefore(tool: Tool<Ports>, args: Data, trail: CallTrail) {
    const call = { ...trail.identity(), configHash };
    const denied = await recentDenial(settings, tool, args, call);
    if (denied === undefined) return undefined;
    audit.enqueue(trail.event("called", { ticketId: denied.ticketId, outcome: "refused before" }));
    return tool.withoutApproval ? await standing(denied) : refused(refusalOfTarget(denied));
  }

  async function resume(
    ticketId: string,
    caller: AbortSignal,
    decision?: ChannelDecision,
  ): Promise<Outcome> {
    let acted = false;
    try {
      const ticket =
        decision === undefined
          ? await tickets.find(ticketId)
          : (await decideTicket({ tickets, audit }, ticketId, decision)).ticket;
      if (ticket === undefined)
        throw new ToolError("not_found", "There is no such request. Nothing was done.");
      if (ticket.status === "approved") {
        const tool = known(ticket.tool);
        await mustNotBePaused(settings, tool, ticket.principal);
        offered.mustStillBePermitted(ticket);
        acted = tool.operation !== "reads";
        await runs.run(ticket);
      }
      const now = await tickets.find(ticketId);
      if (now?.status === "done" && !caller.aborted) await tickets.deliver(ticketId);
      return await standing(now ?? ticket);
    } catch (thrown) {
      return refused(failure(thrown, "resume", acted));
    }
  }

  async function runApproved(ticketId: string): Promise<boolean> {
    const ticket = await tickets.find(ticketId);
    if (ticket?.status !== "approved") return true;
    if ((await tickets.pauseOf(ticket.principal)) !== undefined) return false;
    offered.mustStillBePermitted(ticket);
    await runs.run(ticket);
    return true;
  }

  async function ask(
    tool: Tool<Ports>,
    args: Data,
    prepared: Prepared<Data>,
    decided: Decided,
    trail: CallTrail,
    lead: string | undefined,
    caller: AbortSignal,
  ): Promise<Outcome> {
    const ticketId = randomId("ap");
    const { principal, digest } = trail.identity();
    const resolved = prepared.args ?? args;
    const { ticket, joined } = await tickets.open(
      {
        ticketId,
        principal,
        tool: tool.name,
        risk: decided.risk,
        args: resolved,
        digest,
        target: prepared.version,
        actsOn: tool.actsOn?.(args),
        effect: effectOf(tool, args, prepared.effect, lead, prepared.args),
        fingerprint: fingerprintOf(ticketId, digest),
        client: trail.client,
        configHash,
        channels: settings.policy().viewOf(principal, trail.client).channelsFor(tool.operation),
        similar: tool.similar?.(resolved),
      },
      settings.approvalTtlMs,
    );
    if (!joined) {
      const { tookPlaceOf: older } = ticket;
      const why = older === undefined ? [] : [`the older request ${older} gave way to it`];
      const outcome = [...decided.reasons, ...why].join("; ");
      await audit.append(trail.event("asked", { ticketId, outcome }));
      // People ask seldom enough to sweep each time, and nobody waits for it.
      tickets.purge(approvalTimes.keepEnded).catch((cause: unknown) => {
        log.warn("old requests could not be removed", { cause });
      });
      // Only a request of this very call: about one that waits already, a person may just be thinking.
      const after = await decideByRule({ tickets, audit, rules }, ticket, decided.rules ?? []);
      if (after.status === "approved") return await resume(ticketId, caller);
    }
    // Also where a tool answers without approval: it does so when nobody approves, not before anybody was asked.
    return isOpen(ticket) ? waiting(ticket, tool, trail.client) : await standing(ticket);
  }

  /** Another program may have opened the request: what this one may not put to the person it does not put, either. */
  function waiting(ticket: OpenTicket, tool: Tool<Ports>, client: string): Outcome {
    const own = settings.policy().viewOf(ticket.principal, client).channelsFor(tool.operation);
    const channels = ticket.channels.filter((channel) => own.includes(channel));
    return waitingFor({ ...ticket, channels }, here);
  }

  function permitted(decided: Decided, tool: Tool<Ports>): Decided {
    if (decided.verdict !== "forbid") return decided;
    throw new ToolError(
      "forbidden",
      `The user's policy forbids this ${tool.name} call. Nothing was done.`,
    );
  }

  function failure(thrown: unknown, what: string, acted: boolean): ToolError {
    const error = asToolError(thrown, acted);
    const level = error === thrown ? "warn" : "error";
    if (error.cause !== undefined) log[level](`${what}: ${error.message}`, { cause: error.cause });
    return error;
  }

  return {
    call,
    resume,
    runApproved,
    outputOf: (name) => (offered.has(name) ? known(name).output : undefined),
    idle: async () => void (await Promise.allSettled([runs.idle(), work.idle()])),
  };
}
