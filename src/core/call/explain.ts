import type { Tickets } from "../approvals/ticket.ts";
import type { InformationFlow } from "../flow/flow.ts";
import type { Decided } from "../policy/decide.ts";
import type { Policy } from "../policy/policy.ts";
import type { RuleStore } from "../policy/rules/rule-store.ts";
import type { Log } from "../shared/log.ts";
import { ToolError } from "../tool/tool-error.ts";
import type { ToolSource } from "../tool/tool-source.ts";
import type { Prepared, Tool } from "../tool/tool.ts";
import {
  type ParsedCall,
  consultRules,
  decideDeclared,
  decidePrepared,
  findEarlier,
  mayNeedApproval,
  parseCall,
} from "./decision-steps.ts";
import { examineOutgoing } from "./flow-steps.ts";
import { offeredTools } from "./offered-tools.ts";
import { createToolExecutor } from "./tool-executor.ts";

export type Explain = (request: {
  tool: string;
  arguments: unknown;
  principal: string;
  client: string;
}) => Promise<Decided>;

/**
 * Creates the function that explains how a call would be decided. It runs a call's decision steps and inspects the
 * target, but stores, counts and runs nothing. A missing target becomes one of the reasons. Any other refusal is
 * thrown.
 */
export function explainer<Ports>(settings: {
  tools: readonly Tool<Ports>[];
  upstream?: ToolSource<Ports> | undefined;
  ports: Ports;
  policy: () => Policy;
  rules: RuleStore;
  tickets: Tickets;
  flow?: InformationFlow | undefined;
  log: Log;
  configHash: string;
  timeoutMs: number;
}): Explain {
  const { tools, ports, rules, tickets, log, configHash, timeoutMs } = settings;
  const offered = offeredTools(tools, settings.policy, settings.upstream);
  const executor = createToolExecutor(ports, { timeoutMs, log });

  /**
   * Prepares the call if its target exists. A missing target changes the decision only if the risk depends on the
   * target.
   */
  async function tryPrepare({ tool, args, principal }: ParsedCall<Ports>) {
    try {
      return await executor.prepare(tool, args, { principal, signal: undefined });
    } catch (thrown) {
      if (!(thrown instanceof ToolError) || tool.risk === "dynamic") throw thrown;
      return thrown;
    }
  }

  return async (given) => {
    const request = offered.named(given);
    const call = await parseCall(offered.present(request.tool), settings.policy(), request);
    const declared = decideDeclared(call);
    if (declared.verdict === "forbid") return declared;
    const earlier = mayNeedApproval(call, declared)
      ? await findEarlier(tickets, call, configHash)
      : undefined;
    const looked = await tryPrepare(call);
    const prepared: Prepared<Readonly<Record<string, unknown>>> =
      looked instanceof ToolError ? {} : looked;
    const flow = await examineOutgoing(settings.flow, call, prepared);
    const findings = { earlier, prepared, flow };
    const found = decidePrepared(call, findings);
    const decided =
      found.verdict === "ask" ? await consultRules(rules, call, findings, configHash) : found;
    if (!(looked instanceof ToolError)) return decided;
    const why = `such a call would fail now, before an approval request: ${looked.message}`;
    return { ...decided, reasons: [...decided.reasons, why] };
  };
}
