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
import type { TellProgress, Tool } from "../tool/tool.ts";
import { createApprovalSteps } from "./approval-steps.ts";
import type { Budget } from "../budget/budget.ts";
import { type CallTrail, countedIds, startTrail } from "./call-trail.ts";
import { chargeOf, createChargedSteps } from "./charged-steps.ts";
import {
  type ParsedCall,
  consultRules,
  decideDeclared,
  decidePrepared,
  mayNeedApproval,
  parseCall,
} from "./decision-steps.ts";
import { createDirectRun } from "./direct-run.ts";
import { beginExamining, noteGiven, withFlow } from "./flow-steps.ts";
import { createRepeatedFailureGuard } from "../budget/repeated-failure-guard.ts";
import { offeredTools } from "./offered-tools.ts";
import { type Outcome, createOutcomeOf } from "./outcome.ts";
import { type ResumedCalls, createResumedCalls } from "./resume-call.ts";
import { createToolExecutor } from "./tool-executor.ts";

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
  const { tools, ports, rules, flow, log, configHash } = settings;
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
  const charged = createChargedSteps<Ports>({ budget: settings.budget, executor, flow });
  const direct = createDirectRun<Ports>({ audit: settings.audit, executor, failures, log });

  async function call(given: CallRequest): Promise<Outcome> {
    const request = offered.named(given);
    const trail = startTrail(nextCallId(), request, offered.has(request.tool));
    try {
      const parsed = await parse(request, trail);
      failures.assertNotRepeating(parsed);
      const declared = permitted(decideDeclared(parsed), parsed);

      const examine = beginExamining(flow, parsed);
      const earlier = mayNeedApproval(parsed, declared)
        ? await approval.lookUp(parsed, request)
        : undefined;
      const joined = earlier && (await approval.join(parsed, earlier, trail, request));
      if (joined !== undefined) return joined;
      if (declared.verdict === "ask") {
        const denied = await approval.refuseDenied(parsed, trail);
        if (denied !== undefined) return denied;
      }

      const charge = chargeOf(parsed, declared, request.turn);
      // Awaited only if there is a promise: most calls have none, and an `await` costs as much as a step.
      const counted = charged.count(parsed, charge);
      if (counted !== undefined) await counted;
      const { tool } = parsed;
      const prepared =
        tool.prepare === undefined ? {} : await charged.prepare(parsed, charge, request.signal);
      const found = examine && (await examine(prepared));
      const findings = { earlier, prepared, flow: found };
      const isNew = tool.prepare !== undefined || earlier !== undefined || found !== undefined;
      const decided = isNew ? permitted(decidePrepared(parsed, findings), parsed) : declared;
      trail.rate(decided.risk);
      if (decided.verdict !== "ask") {
        return await direct.run(parsed, prepared, decided, trail, request);
      }

      if (declared.verdict !== "ask") {
        const denied = await approval.refuseDenied(parsed, trail);
        if (denied !== undefined) return denied;
        await charged.countHigher(charge, decided);
      }
      await charged.confirm(parsed, charge, request.signal);
      const ruled = await consultRules(rules, parsed, findings, configHash);
      return await approval.ask(parsed, findings, ruled, trail, request);
    } catch (thrown) {
      return direct.fail(request, trail, thrown, { event: "refused", acted: false });
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

  return {
    ...resumed,
    call,
    follow: (ticketId, follower, work) => followers.follow(ticketId, follower, work),
    outputOf: (name) => (offered.has(name) ? known(name).output : undefined),
    forCaller: async (ticket) => {
      // A tool of the catalog may be switched off since.
      if (ticket.status !== "done" || !offered.knows(ticket.tool)) return ticket;
      const tool = known(ticket.tool);
      await noteGiven(flow, tool, ticket);
      return { ...ticket, output: withoutInternal(tool.output, ticket.output) };
    },
    idle: async () => void (await Promise.allSettled([runs.idle(), executor.idle()])),
  };
}

/**
 * Returns the decision.
 * @throws ToolError `forbidden` if the policy forbids the call
 */
function permitted<Ports>(decided: Decided, { tool }: ParsedCall<Ports>): Decided {
  if (decided.verdict !== "forbid") return decided;
  throw new ToolError(
    "forbidden",
    `The user's policy forbids this ${tool.name} call. Nothing was done.`,
  );
}
