import type { FlowFinding, InformationFlow } from "../flow/flow.ts";
import { givenContents, outgoingText } from "../flow/outgoing.ts";
import type { ParsedCall } from "./decision-steps.ts";
import type { ToolExecutor } from "./tool-executor.ts";
import type { Prepared, Tool } from "../tool/tool.ts";

type Data = Readonly<Record<string, unknown>>;

/** Examines the text that would leave with a call. Returns undefined if it may leave without approval. */
export async function lookAtOutgoing<Ports>(
  flow: InformationFlow | undefined,
  { tool, args, principal, client, policy }: ParsedCall<Ports>,
  prepared: Prepared<Data>,
): Promise<FlowFinding | undefined> {
  if (flow === undefined || !tool.sends) return undefined;
  return await flow.examine({
    principal,
    destination: tool.name,
    text: outgoingText(tool, prepared.args ?? args),
    setting: policy.viewOf(principal, client).flowOf(tool.name),
    gaveItself: tool.gaveItself,
  });
}

/**
 * Begins `lookAtOutgoing` while other records are read. That is early enough, because the arguments cannot contain text
 * that the caller gets later. The function that it returns waits for the finding, and looks again if `prepare` changed
 * the arguments. Undefined if no text leaves.
 */
export function beginLook<Ports>(
  flow: InformationFlow | undefined,
  call: ParsedCall<Ports>,
): ((prepared: Prepared<Data>) => Promise<FlowFinding | undefined>) | undefined {
  if (flow === undefined || !call.tool.sends) return undefined;
  const looked = lookAtOutgoing(flow, call, {});
  // A call that ends before it waits has no use for a failure.
  looked.catch(() => undefined);
  return (prepared) =>
    prepared.args === undefined ? looked : lookAtOutgoing(flow, call, prepared);
}

/** Returns whether `prepare` may send the arguments, which leave before a person could decide. */
export async function mayLeaveUnasked<Ports>(
  flow: InformationFlow | undefined,
  call: ParsedCall<Ports>,
): Promise<boolean> {
  if (call.tool.previews !== true) return false;
  return (await lookAtOutgoing(flow, call, {})) === undefined;
}

/** Notes what leaves and what comes back, for calls that run at once and for approved ones. */
export function withFlow<Ports>(
  executor: ToolExecutor<Ports>,
  flow: InformationFlow | undefined,
): ToolExecutor<Ports> {
  if (flow === undefined) return executor;
  const noteSent = (tool: Tool<Ports>, args: Data, { principal }: { principal: string }): void =>
    flow.sent({ principal, destination: tool.name, text: outgoingText(tool, args) });
  return {
    ...executor,
    prepare: async (tool, args, caller) => {
      if (caller.mayPreview === true && tool.sends) noteSent(tool, args, caller);
      return await executor.prepare(tool, args, caller);
    },
    execute: (tool, args, caller) => {
      const { principal } = caller;
      if (tool.sends) noteSent(tool, args, caller);
      const running = executor.execute(tool, args, caller);
      if (tool.reads !== "private") return running;
      return running.then((output) => {
        flow.given(principal, givenContents(tool, args, output));
        return output;
      });
    },
    idle: async () => {
      await executor.idle();
      await flow.idle();
    },
  };
}
