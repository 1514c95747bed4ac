import { continuation } from "../approvals/approval.ts";
import { type Decided, decide } from "./decide.ts";
import { callDigest } from "../shared/digest.ts";
import type { Log } from "../shared/log.ts";
import { offeredTools } from "../call/offered-tools.ts";
import { parseArguments } from "../call/parse-arguments.ts";
import type { Policy } from "./policy.ts";
import { decideWithRules } from "./rules/apply-rules.ts";
import type { RuleStore } from "./rules/rule-store.ts";
import type { Tickets } from "../approvals/ticket.ts";
import type { Tool } from "../tool/tool.ts";
import { ToolError } from "../tool/tool-error.ts";
import { createToolExecutor } from "../call/tool-executor.ts";

export type Explain = (request: {
  tool: string;
  arguments: unknown;
  principal: string;
  client: string;
}) => Promise<Decided>;

/**
 * What a call would be decided on, step by step as call.ts takes them: it looks at the target as a call does, and opens,
 * counts and runs nothing. What is absent is one of the reasons. Throws what the call would be refused with otherwise.
 */
export function explainer<Ports>(settings: {
  tools: readonly Tool<Ports>[];
  ports: Ports;
  policy: () => Policy;
  rules: RuleStore;
  tickets: Tickets;
  log: Log;
  configHash: string;
  timeoutMs: number;
}): Explain {
  const { tools, ports, rules, tickets, log, configHash, timeoutMs } = settings;
  const offered = offeredTools(tools, settings.policy);
  const work = createToolExecutor(ports, { timeoutMs, log });
  return async ({ tool: name, arguments: given, principal, client }) => {
    const policy = settings.policy();
    const tool = offered.known(name);
    const args = parseArguments(tool, given);
    const call = { tool: name, principal, client, args };
    const declared = tool.risk === "dynamic" ? "low" : tool.risk;
    const first = decide(call, { policy, risk: declared, afterUnknown: false });
    if (first.verdict === "forbid") return first;
    const digest = callDigest(name, args);
    const { ticket, ran, now } = await tickets.findIdentical({ principal, digest, configHash });
    const next = continuation(ticket, now, ran);
    const looked = await work
      .prepare(tool, args, { principal, signal: undefined })
      .catch((thrown: unknown) => {
        // What is absent does not change who would be asked, unless the risk itself depends on what is there.
        if (!(thrown instanceof ToolError) || tool.risk === "dynamic") throw thrown;
        return thrown;
      });
    const prepared = looked instanceof ToolError ? {} : looked;
    const facts = {
      policy,
      risk: prepared.risk ?? declared,
      afterUnknown: next.do === "open" && next.afterUnknown,
    };
    const resolved = { ...call, args: prepared.args ?? args };
    const before = decide(resolved, facts);
    const decided =
      before.verdict === "ask" ? await decideWithRules(rules, resolved, facts, configHash) : before;
    if (!(looked instanceof ToolError)) return decided;
    const why = `such a call would fail now, before anybody is asked: ${looked.message}`;
    return { ...decided, reasons: [...decided.reasons, why] };
  };
}
