import type { ChannelsHere } from "../approvals/directions.ts";
import { type RunFollowers, createRunFollowers } from "../approvals/run-followers.ts";
import { createTicketRuns } from "../approvals/ticket-runs.ts";
import type { Ticket, Tickets } from "../approvals/ticket.ts";
import type { AuditRecord } from "../audit/audit.ts";
import type { InformationFlow } from "../flow/flow.ts";
import type { Decided } from "../policy/decide.ts";
import type { Policy } from "../policy/policy.ts";
import type { RuleStore } from "../policy/rules/rule-store.ts";
import { randomId } from "../shared/digest.ts";
import type { Cancellation } from "../shared/lazy-signal.ts";
import type { Log } from "../shared/log.ts";
import { type OutputOf, withoutInternal } from "../tool/untrusted-text.ts";
import { ToolError } from "../tool/tool-error.ts";
import type { ToolSource } from "../tool/tool-source.ts";
import type { Prepared, TellProgress, Tool } from "../tool/tool.ts";
import { createApprovalSteps } from "./approval-steps.ts";
import type { Budget, Charge } from "../budget/budget.ts";
import { type CallTrail, countedIds, startTrail } from "./call-trail.ts";
import {
  type ParsedCall,
  consultRules,
  decideDeclared,
  decidePrepared,
  mayNeedApproval,
  parseCall,
} from "./decision-steps.ts";
import { failureOf } from "./failure.ts";
import { beginExamining, mayLeaveUnasked, noteGiven, withFlow } from "./flow-steps.ts";
import { createRepeatedFailureGuard } from "../budget/repeated-failure-guard.ts";
import { offeredTools } from "./offered-tools.ts";
import { type Outcome, createOutcomeOf, done, refused } from "./outcome.ts";
import { type ResumedCalls, createResumedCalls } from "./resume-call.ts";
import { createToolExecutor } from "./tool-executor.ts";
import type { Data } from "../shared/data.ts";

/** One call as the client sent it. `client` and `turn` are the client's own claims. */
export interface CallRequest {
  tool: string;
  arguments: unknown;
  principal: string;
  client: string;
  turn?: string;
  /** The caller may use only tools of low risk, whatever the policy allows. */
  lowRiskOnly?: boolean;
  signal: Cancellation;
  /** Receives the progress of the run. */
  progress?: TellProgress | undefined;
}

export interface CallPipelineSettings<Ports> {
  /** Only tools whose ports are all configured. */
  tools: readonly Tool<Ports>[];
  /** Tools of upstream servers. */
  upstream?: ToolSource<Ports> | undefined;
  ports: Ports;
  /** Returns the current policy, which a person may change while the program runs. */
  policy: () => Policy;
  rules: RuleStore;
  budget: Budget;
  tickets: Tickets;
  audit: AuditRecord;
  /** The check of outgoing text. Absent in tests of other steps. */
  flow?: InformationFlow | undefined;
  log: Log;
  /** Names this process in leases. */
  processId: string;
  /** The approval channels of this program, as texts for a model name them. */
  here: ChannelsHere;
  configHash: string;
  approvalTtlMs: number;
  /** A longer call is answered with `timeout`. */
  callTimeoutMs: number;
}

export interface CallPipeline extends ResumedCalls {
  call(request: CallRequest): Promise<Outcome>;
  /** Does work during which a caller waits for a request. It gets the progress of the run, and may stop the run. */
  readonly follow: RunFollowers["follow"];
  /** Returns the schema of a tool's output, or undefined for an unknown tool. */
  readonly outputOf: OutputOf;
  /** Returns a request for its caller: without the internal fields of its result, which is recorded as received. */
  forCaller(ticket: Ticket): Promise<Ticket>;
  /** Resolves when no call is running. */
  idle(): Promise<void>;
}

/** `through` is the tool that named the called one. */
type NamedRequest = CallRequest & { through?: string };

/**
 * Creates the call pipeline. `call` below lists its steps in order. The earlier identical call is looked up before the
 * budget, because joining an open request is not counted.
 */
export function createCallPipeline<Ports>(settings: CallPipelineSettings<Ports>): CallPipeline {
  const { tools, ports, rules, budget, audit, flow, log, configHash } = settings;
  const offered = offeredTools(tools, settings.policy, settings.upstream);
  const executor = withFlow(
    createToolExecutor(ports, {
      timeoutMs: settings.callTimeoutMs,
      log,
      mailsRead: flow && ((principal) => flow.mailsRead(principal)),
    }),
    flow,
  );
  const nextCallId = countedIds(randomId("call"));
  const failures = createRepeatedFailureGuard();
  const followers = createRunFollowers();
  const { known, present } = offered;
  const outcomeOf = createOutcomeOf({ ...settings, known });
  const runs = createTicketRuns({ ...settings, known, present, executor, failures, followers });
  const resumed = createResumedCalls({ ...settings, offered, runs, outcomeOf });
  const { resume } = resumed;
  const approval = createApprovalSteps<Ports>({ ...settings, outcomeOf, resume, followers });

  async function call(given: CallRequest): Promise<Outcome> {
    const request = offered.named(given);
    const trail = startTrail(nextCallId(), request, offered.has(request.tool));
    try {
      const parsed = await parse(request, trail);
      failures.assertNotRepeating(parsed);
      const declared = permitted(decideDeclared(parsed), parsed);

      const examine = beginExamining(settings.flow, parsed);
      const earlier = mayNeedApproval(parsed, declared)
        ? await approval.lookUp(parsed, request)
        : undefined;
      const joined = earlier && (await approval.join(parsed, earlier, trail, request));
      if (joined !== undefined) return joined;
      if (declared.verdict === "ask") {
        const denied = await approval.refuseDenied(parsed, trail);
        if (denied !== undefined) return denied;
      }

      const charge = chargeOf(parsed, declared, request);
      // Awaited only if there is a promise: most calls have none, and an `await` costs as much as a step.
      const counted = count(parsed, charge);
      if (counted !== undefined) await counted;
      const { tool } = parsed;
      const prepared = tool.prepare === undefined ? {} : await prepare(parsed, charge, request);
      const flow = examine && (await examine(prepared));
      const findings = { earlier, prepared, flow };
      const isNew = tool.prepare !== undefined || earlier !== undefined || flow !== undefined;
      const decided = isNew ? permitted(decidePrepared(parsed, findings), parsed) : declared;
      trail.rate(decided.risk);
      if (decided.verdict !== "ask") {
        return await execute(parsed, prepared, decided, trail, request);
      }

      if (declared.verdict !== "ask") {
        const denied = await approval.refuseDenied(parsed, trail);
        if (denied !== undefined) return denied;
        await countHigher(charge, decided);
      }
      await confirm(parsed, charge, request.signal);
      const ruled = await consultRules(rules, parsed, findings, configHash);
      return await approval.ask(parsed, findings, ruled, trail, request);
    } catch (thrown) {
      return failed(request, trail, thrown, { event: "refused", acted: false });
    }
  }

  /** Finds the tool, if the policy offers it to this caller, and parses the arguments. */
  async function parse(request: NamedRequest, trail: CallTrail): Promise<ParsedCall<Ports>> {
    const policy = settings.policy();
    const effective = policy.effectiveFor(request.principal, request.client);
    // A policy that denies `call_tool` denies every call through it.
    if (request.through !== undefined) offered.find(request.through, effective);
    const tool = offered.find(
      request.tool,
      request.lowRiskOnly ? offered.lowRisk(effective) : effective,
    );
    const parsed = await parseCall(tool, policy, request);
    trail.describe(parsed);
    return parsed;
  }

  function permitted(decided: Decided, { tool }: ParsedCall<Ports>): Decided {
    if (decided.verdict !== "forbid") return decided;
    throw new ToolError(
      "forbidden",
      `The user's policy forbids this ${tool.name} call. Nothing was done.`,
    );
  }

  function chargeOf(
    { principal, client, digest }: ParsedCall<Ports>,
    { risk }: Decided,
    { turn }: CallRequest,
  ): Charge {
    return { principal, client, turn, digest, risk };
  }

  /**
   * Counts the call. One of low risk is counted before this returns.
   * @throws ToolError `budget_exceeded`
   */
  function count({ tool }: ParsedCall<Ports>, charge: Charge): Promise<void> | undefined {
    return tool.free ? undefined : budget.spend(charge);
  }

  /** Counts a call that was declared as low risk, and for which `prepare` found a higher risk. */
  async function countHigher(charge: Charge, { risk }: Decided): Promise<void> {
    if (charge.risk === "low") await budget.raise({ ...charge, risk });
  }

  /** Inspects the target without changing it. A failure here returns the approval request to the budget. */
  async function prepare(
    parsed: ParsedCall<Ports>,
    charge: Charge,
    { signal }: Pick<CallRequest, "signal">,
  ): Promise<Prepared<Data>> {
    const { tool, args, principal } = parsed;
    return await refunded(charge, async () => {
      const mayPreview = await mayLeaveUnasked(settings.flow, parsed);
      return await executor.prepare(tool, args, { principal, mayPreview, signal });
    });
  }

  /** Confirms that the tool is still as it was reviewed. A failure here returns the approval request to the budget. */
  async function confirm(
    { tool }: ParsedCall<Ports>,
    charge: Charge,
    signal: Cancellation,
  ): Promise<void> {
    await refunded(charge, async () => await executor.confirm(tool, signal));
  }

  async function refunded<T>(charge: Charge, step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (thrown) {
      await budget.refundApproval(charge);
      throw thrown;
    }
  }

  /** Runs a call that needs no approval. */
  async function execute(
    { tool, args, principal, digest }: ParsedCall<Ports>,
    prepared: Prepared<Data>,
    decided: Decided,
    trail: CallTrail,
    request: CallRequest,
  ): Promise<Outcome> {
    const isReported = decided.verdict === "report";
    // A low-risk call is one audit event, written with its outcome. The call waits only if the audit queue is full.
    const room = isReported ? audit.append(trail.event("started")) : audit.backpressure();
    if (room !== undefined) await room;
    const event = isReported ? "finished" : "called";
    const acted = tool.operation !== "reads";
    try {
      const { callId } = trail;
      const { version } = prepared;
      const { progress, signal } = request;
      const caller = { principal, callId, version, progress, signal };
      const output = await executor.execute(tool, prepared.args ?? args, caller);
      failures.succeeded({ principal, digest }, acted);
      const sentence = tool.describe(args, output);
      audit.enqueue(trail.event(event, { sentence, outcome: "ok" }));
      return done(tool, args, output, isReported);
    } catch (thrown) {
      const named = { tool: tool.name, principal, arguments: args };
      return failed(named, trail, thrown, { event, acted });
    }
  }

  function failed(
    request: Pick<CallRequest, "tool" | "principal" | "arguments">,
    trail: CallTrail,
    thrown: unknown,
    { event, acted }: { event: "refused" | "called" | "finished"; acted: boolean },
  ): Outcome {
    const failure = failureOf(log, thrown, request.tool, acted);
    const error = failures.failed(request, trail.identity().digest, failure);
    audit.enqueue(trail.event(event, { outcome: error.kind }));
    return refused(error);
  }

  return {
    ...resumed,
    call,
    follow: (ticketId, follower, work) => followers.follow(ticketId, follower, work),
    outputOf: (name) => (offered.has(name) ? known(name).output : undefined),
    forCaller: async (ticket) => {
      // A tool of the catalog may be switched off since.
      if (ticket.status !== "done" || !offered.knows(ticket.tool)) return ticket;
      const tool = known(ticket.tool);
      await noteGiven(settings.flow, tool, ticket);
      return { ...ticket, output: withoutInternal(tool.output, ticket.output) };
    },
    idle: async () => void (await Promise.allSettled([runs.idle(), executor.idle()])),
  };
}
