import { type Continuation, approvalTimes, continuation, isOpen, refusal } from "./approval.ts";
import type { AuditLog } from "./audit.ts";
import type { Budget } from "./budget.ts";
import { type Decided, decide } from "./decide.ts";
import { type CallTrail, countedIds, startTrail } from "./call-trail.ts";
import { decideTicket, type DoorDecision } from "./decide-ticket.ts";
import { fingerprintOf, randomId } from "./digest.ts";
import { effectOf } from "./effect.ts";
import type { Log } from "./log.ts";
import { parseArguments } from "./parse-arguments.ts";
import { mustNotBePaused } from "./pause.ts";
import type { Policy } from "./policy.ts";
import { runTicket } from "./run-ticket.ts";
import { type OpenTicket, type Ticket, type Tickets, ticketNotice } from "./ticket.ts";
import type { Prepared, ResultText, Tool } from "./tool.ts";
import { ToolError, asToolError, errorFromFields } from "./tool-error.ts";
import { createWork } from "./work.ts";

/** One call as a door received it. `client` and `turn` are the client's own words. */
export interface CallRequest {
  tool: string;
  arguments: unknown;
  principal: string;
  client: string;
  turn?: string;
  signal: AbortSignal;
}

/** What became of a call. `waiting`: only a person can let it go on, and only a door turns that into protocol. */
export type Outcome =
  | {
      kind: "done";
      tool: string;
      output: Readonly<Record<string, unknown>>;
      text: ResultText;
      report?: string;
    }
  | { kind: "refused"; error: ToolError }
  | { kind: "waiting"; ticket: OpenTicket };

export interface CallSettings<Ports> {
  /** Only tools whose every port is there. */
  tools: readonly Tool<Ports>[];
  ports: Ports;
  policy: Policy;
  budget: Budget;
  tickets: Tickets;
  audit: AuditLog;
  log: Log;
  /** Names this process in leases. */
  processId: string;
  configHash: string;
  approvalTtlMs: number;
  /** A call that takes longer than this is answered with `timeout`. */
  callTimeoutMs: number;
}

export interface Calls {
  call(request: CallRequest): Promise<Outcome>;
  /**
   * Goes on with a ticket for a caller: decides it where a decision is given, runs it where it is approved, and reports how
   * it stands. A result counts as delivered unless the caller's signal says that nobody listens any more.
   */
  resume(ticketId: string, caller: AbortSignal, decision?: DoorDecision): Promise<Outcome>;
  /** Runs an approved ticket that nobody waits for: its result stays for the next identical call. False while it is paused. */
  runApproved(ticketId: string): Promise<boolean>;
  /** Resolves when nothing that was started is still running. */
  idle(): Promise<void>;
}

type Data = Readonly<Record<string, unknown>>;

/**
 * The one pipeline of PRODUCT section 3: find, parse, policy, open or finished ticket, budget, prepare, approval, execute,
 * check output, audit. The ticket comes before the budget because joining an open request is not counted.
 */
export function createCalls<Ports>(settings: CallSettings<Ports>): Calls {
  const { tools, ports, policy, budget, tickets, audit, log, configHash } = settings;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const running = new Map<string, Promise<void>>();
  const work = createWork(ports, { timeoutMs: settings.callTimeoutMs, log });
  const nextCallId = countedIds(randomId("call"));

  async function call(request: CallRequest): Promise<Outcome> {
    const trail = startTrail(nextCallId(), request, byName.has(request.tool));
    let end: "refused" | "called" | "finished" = "refused";
    let acted = false;
    try {
      const tool = find(request.tool);
      const args = parseArguments(tool, request.arguments);
      trail.describe(tool, args);
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
        const { ticket, now } = await tickets.findIdentical({ ...trail.identity(), configHash });
        let next = continuation(ticket, now);
        // An identical call may be faster and have the result: then this one is a later one, and the person is told so.
        const isHeard = !request.signal.aborted;
        if (next.do === "deliver" && isHeard && !(await tickets.deliver(next.ticket.ticketId))) {
          next = continuation({ ...next.ticket, delivered: true }, now);
        }
        const joined = await join(tool, next, request, trail);
        if (joined !== undefined) return joined;
        if (next.do === "open") ({ lead, afterUnknown } = next);
      }

      budget.spend({
        principal: request.principal,
        tool: tool.name,
        risk: first.risk,
        turn: request.turn,
      });

      const prepared = await work.prepare(tool, args, request);
      const risk = prepared.risk ?? declared;
      const decided = permitted(decide(subject, { policy, risk, afterUnknown }), tool);
      trail.rate(decided.risk);

      if (decided.verdict === "ask") return await ask(tool, args, prepared, decided, trail, lead);

      const isReported = decided.verdict === "report";
      // A low-risk call is one event, written when its outcome is known. It waits where the log is behind.
      await (isReported ? audit.append(trail.event("started")) : audit.full());
      end = isReported ? "finished" : "called";
      acted = tool.does !== "reads";
      const output = await work.execute(tool, prepared.args ?? args, {
        principal: request.principal,
        target: prepared.target,
        signal: request.signal,
      });
      const sentence = tool.sentence(args, output);
      audit.note(trail.event(end, { sentence, outcome: "ok" }));
      return done(tool, args, output, isReported ? sentence : undefined);
    } catch (thrown) {
      const error = failure(thrown, request.tool, acted);
      audit.note(trail.event(end, { outcome: error.kind }));
      return { kind: "refused", error };
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
    if (next.do === "wait") await mustNotBePaused(tickets, tool, request.principal);
    audit.note(trail.event("called", { ticketId, outcome: `same as before: ${status}` }));
    if (next.do === "wait") return { kind: "waiting", ticket: next.ticket };
    return next.do === "run" ? await resume(ticketId, request.signal) : await standing(next.ticket);
  }

  async function resume(
    ticketId: string,
    caller: AbortSignal,
    decision?: DoorDecision,
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
        const tool = find(ticket.tool);
        await mustNotBePaused(tickets, tool, ticket.principal);
        acted = tool.does !== "reads";
        await run(ticket);
      }
      const now = await tickets.find(ticketId);
      if (now?.status === "done" && !caller.aborted) await tickets.deliver(ticketId);
      return await standing(now ?? ticket);
    } catch (thrown) {
      return { kind: "refused", error: failure(thrown, "resume", acted) };
    }
  }

  async function runApproved(ticketId: string): Promise<boolean> {
    const ticket = await tickets.find(ticketId);
    if (ticket?.status !== "approved") return true;
    if ((await tickets.pauseOf(ticket.principal)) !== undefined) return false;
    await run(ticket);
    return true;
  }

  function find(name: string): Tool<Ports> {
    const tool = byName.get(name);
    if (tool === undefined || policy.denied.includes(name)) {
      throw new ToolError(
        "not_found",
        `There is no tool ${JSON.stringify(name.slice(0, 80))}. Nothing was done.`,
        {
          hint: `Tools: ${[...byName.keys()].join(", ")}.`,
        },
      );
    }
    return tool;
  }

  async function ask(
    tool: Tool<Ports>,
    args: Data,
    prepared: Prepared<Data>,
    decided: Decided,
    trail: CallTrail,
    lead: string | undefined,
  ): Promise<Outcome> {
    const ticketId = randomId("ap");
    const { principal, digest } = trail.identity();
    await mustNotBePaused(tickets, tool, principal);
    const { ticket, joined } = await tickets.open(
      {
        ticketId,
        principal,
        tool: tool.name,
        risk: decided.risk,
        args: prepared.args ?? args,
        digest,
        target: prepared.target,
        effect: effectOf(tool, args, prepared.effect, lead, prepared.args),
        fingerprint: fingerprintOf(ticketId, digest),
        client: trail.client,
        configHash,
      },
      settings.approvalTtlMs,
    );
    if (!joined) {
      await audit.append(trail.event("asked", { ticketId, outcome: decided.reasons.join("; ") }));
      // People ask seldom enough to sweep each time, and nobody waits for it.
      tickets.purge(approvalTimes.keepEnded).catch((cause: unknown) => {
        log.warn("old requests could not be removed", { cause });
      });
    }
    // Also where a tool answers without approval: it does so when nobody approves, not before anybody was asked.
    return isOpen(ticket) ? { kind: "waiting", ticket } : await standing(ticket);
  }

  /** One run per ticket in this process; between processes the claim decides. */
  async function run(ticket: Ticket): Promise<void> {
    let promise = running.get(ticket.ticketId);
    if (promise === undefined) {
      promise = runTicket({ ...settings, execute: executeTicket, sentence }, ticket).finally(() => {
        running.delete(ticket.ticketId);
      });
      running.set(ticket.ticketId, promise);
    }
    await promise;
  }

  function executeTicket(ticket: Ticket): Promise<Data> {
    const { principal, target } = ticket;
    // Its caller may be gone; what a person approved is not cancelled half-way because a client hung up.
    return work.execute(find(ticket.tool), ticket.args, { principal, target, signal: undefined });
  }

  function sentence(ticket: Ticket, output: Data): string {
    return find(ticket.tool).sentence(ticket.args, output);
  }

  function done(tool: Tool<Ports>, args: Data, output: Data, report?: string): Outcome {
    return {
      kind: "done",
      tool: tool.name,
      output,
      text: tool.text(output, args),
      ...(report !== undefined && { report }),
    };
  }

  /** What a caller gets for a ticket as it stands. */
  async function standing(ticket: Ticket): Promise<Outcome> {
    const tool = find(ticket.tool);
    if (ticket.status === "done") return done(tool, ticket.args, ticket.output);
    if (ticket.status === "failed")
      return {
        kind: "refused",
        error: errorFromFields({ ...ticket.error, approval: ticketNotice(ticket) }),
      };
    if (tool.withoutApproval !== undefined) {
      const context = {
        ports,
        principal: ticket.principal,
        signal: AbortSignal.timeout(settings.callTimeoutMs),
      };
      return done(
        tool,
        ticket.args,
        await tool.withoutApproval(ticket.args, context, ticketNotice(ticket)),
      );
    }
    return isOpen(ticket)
      ? { kind: "waiting", ticket }
      : { kind: "refused", error: refusal(ticket) };
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
    idle: async () => void (await Promise.allSettled([...running.values(), work.idle()])),
  };
}
