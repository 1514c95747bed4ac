import { type Continuation, continuation } from "../approvals/approval.ts";
import type { Tickets } from "../approvals/ticket.ts";
import type { FlowFinding } from "../flow/flow.ts";
import { inShort } from "../flow/ledger.ts";
import { type Decided, type DecisionFacts, decide } from "../policy/decide.ts";
import type { Policy } from "../policy/policy.ts";
import type { Risk } from "../policy/risk.ts";
import { decideWithRules } from "../policy/rules/apply-rules.ts";
import type { RuleStore } from "../policy/rules/rule-store.ts";
import { callDigest } from "../shared/digest.ts";
import type { Prepared, Tool } from "../tool/tool.ts";
import { checkArguments, parseArguments } from "./parse-arguments.ts";
import type { Data } from "../shared/data.ts";

// The steps of a call that read and decide, but change nothing. A call (call.ts) and its explanation (explain.ts) run
// them in the same order: parse, declared risk, earlier identical call, prepare, risk found by `prepare`, rules.

/** A call with valid arguments, and the policy that applies to all of it. */
export interface ParsedCall<Ports> {
  tool: Tool<Ports>;
  args: Data;
  principal: string;
  client: string;
  /** SHA-256 over tool and parsed arguments. */
  digest: string;
  policy: Policy;
}

/** The facts that the steps before the last decision have found. */
export interface Findings {
  /** Undefined if the call never needs approval, whatever `prepare` finds. */
  earlier: Continuation | undefined;
  prepared: Prepared<Data>;
  /** The reason why a person must be asked before the text is sent. */
  flow?: FlowFinding | undefined;
}

/**
 * Parses the arguments and fills in their defaults.
 * @throws ToolError `invalid_input` or `too_large`
 */
export async function parseCall<Ports>(
  tool: Tool<Ports>,
  policy: Policy,
  request: { arguments: unknown; principal: string; client: string },
): Promise<ParsedCall<Ports>> {
  const { principal, client } = request;
  const args = parseArguments(tool, request.arguments);
  if (tool.check !== undefined) await checkArguments(tool, args);
  return { tool, args, principal, client, digest: callDigest(tool.name, args), policy };
}

/** Decides by the risk that the tool declares. A dynamic risk counts as low until `prepare` has found it. */
export function decideDeclared<Ports>(call: ParsedCall<Ports>): Decided {
  return decide(subjectOf(call), factsOf(call, { earlier: undefined, prepared: {} }));
}

/** Returns true if a person may have to decide. Otherwise no earlier request can exist. */
export function mayNeedApproval<Ports>({ tool }: ParsedCall<Ports>, declared: Decided): boolean {
  return declared.verdict === "ask" || tool.prepare !== undefined || tool.sends;
}

/** Finds the earlier identical call and returns what it means for this one. */
export async function findEarlier<Ports>(
  tickets: Pick<Tickets, "findIdentical">,
  { principal, digest }: ParsedCall<Ports>,
  configHash: string,
): Promise<Continuation> {
  const { ticket, ran, now } = await tickets.findIdentical({ principal, digest, configHash });
  return continuation(ticket, now, ran);
}

/** Decides by the risk that `prepare` found, with the resolved arguments. Does not consult rules. */
export function decidePrepared<Ports>(call: ParsedCall<Ports>, findings: Findings): Decided {
  return decide(subjectOf(call, findings), factsOf(call, findings));
}

/** Decides a call that needs approval again, now with the person's rules. */
export async function consultRules<Ports>(
  rules: RuleStore,
  call: ParsedCall<Ports>,
  findings: Findings,
  configHash: string,
): Promise<Decided> {
  return await decideWithRules(
    rules,
    subjectOf(call, findings),
    factsOf(call, findings),
    configHash,
  );
}

function subjectOf<Ports>(call: ParsedCall<Ports>, findings?: Findings) {
  const { tool, principal, client, args } = call;
  const { sources: items, hasMore = false } = findings?.flow ?? {};
  // No rule of an approval covers a text that may match further items.
  const sources = items && [...items.map(inShort), ...(hasMore ? ["others"] : [])];
  return {
    tool: tool.name,
    principal,
    client,
    args: findings?.prepared.args ?? args,
    ...(sources && { sources }),
  };
}

function factsOf<Ports>(
  { policy, tool }: ParsedCall<Ports>,
  { earlier, prepared, flow }: Findings,
): DecisionFacts {
  const declared: Risk = tool.risk === "dynamic" ? "low" : tool.risk;
  return {
    policy,
    risk: prepared.onlyPerson === undefined ? (prepared.risk ?? declared) : "high",
    onlyPerson: prepared.onlyPerson,
    ...(flow && { raised: { risk: "high", reason: flow.reason } }),
    afterUnknown: earlier?.kind === "open" && earlier.afterUnknown,
  };
}
