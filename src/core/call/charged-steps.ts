import type { Budget, Charge } from "../budget/budget.ts";
import type { InformationFlow } from "../flow/flow.ts";
import type { Decided } from "../policy/decide.ts";
import type { Data } from "../shared/data.ts";
import type { Cancellation } from "../shared/lazy-signal.ts";
import type { Prepared } from "../tool/tool.ts";
import { assertNotStopped } from "./caller-stop.ts";
import type { ParsedCall } from "./decision-steps.ts";
import { mayLeaveUnasked } from "./flow-steps.ts";
import type { ToolExecutor } from "./tool-executor.ts";

/** The steps of a call that the budget counts, and those whose failure refunds the approval request. */
export interface ChargedSteps<Ports> {
  /**
   * Counts the call. One of low risk is counted before this returns.
   * @throws ToolError `budget_exceeded`
   */
  count(call: ParsedCall<Ports>, charge: Charge): Promise<void> | undefined;
  /** Counts a call that was declared as low risk, and for which `prepare` found a higher risk. */
  countHigher(charge: Charge, decided: Decided): Promise<void>;
  /** Inspects the target without changing it. A failure here returns the approval request to the budget. */
  prepare(call: ParsedCall<Ports>, charge: Charge, signal: Cancellation): Promise<Prepared<Data>>;
  /**
   * Confirms that the tool is still as it was reviewed, and that the caller still wants the call. A failure here returns
   * the approval request to the budget.
   */
  confirm(call: ParsedCall<Ports>, charge: Charge, signal: Cancellation): Promise<void>;
}

/** Returns what the budget counts of a call. */
export function chargeOf<Ports>(
  { principal, client, digest }: ParsedCall<Ports>,
  { risk }: Decided,
  turn: string | undefined,
): Charge {
  return { principal, client, turn, digest, risk };
}

export function createChargedSteps<Ports>({
  budget,
  executor,
  flow,
}: {
  budget: Budget;
  executor: ToolExecutor<Ports>;
  flow: InformationFlow | undefined;
}): ChargedSteps<Ports> {
  async function refunded<T>(charge: Charge, step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (thrown) {
      await budget.refundApproval(charge);
      throw thrown;
    }
  }

  return {
    count: ({ tool }, charge) => (tool.free ? undefined : budget.spend(charge)),
    countHigher: async (charge, { risk }) => {
      if (charge.risk === "low") await budget.raise({ ...charge, risk });
    },
    prepare: async (call, charge, signal) => {
      const { tool, args, principal } = call;
      return await refunded(charge, async () => {
        const mayPreview = await mayLeaveUnasked(flow, call);
        return await executor.prepare(tool, args, { principal, mayPreview, signal });
      });
    },
    confirm: async ({ tool }, charge, signal) => {
      await refunded(charge, async () => {
        await executor.confirm(tool, signal);
        assertNotStopped(signal);
      });
    },
  };
}
