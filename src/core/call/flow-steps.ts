import type { FlowFinding, InformationFlow } from "../flow/flow.ts";
import { givenContents, outgoingOf, outgoingText } from "../flow/outgoing.ts";
import type { ParsedCall } from "./decision-steps.ts";
import type { ToolExecutor } from "./tool-executor.ts";
import type { Prepared, Tool } from "../tool/tool.ts";
import type { Data } from "../shared/data.ts";

/** Returns the third party that gets the arguments. Pieces of a secret are added up for it. */
function destinationOf<Ports>({ name, destination = name }: Tool<Ports>): string {
  return destination;
}

/** Examines the outgoing text of a call. Returns undefined if it may be sent without approval. */
export async function examineOutgoing<Ports>(
  flow: InformationFlow | undefined,
  { tool, args, principal, client, policy }: ParsedCall<Ports>,
  prepared: Prepared<Data>,
): Promise<FlowFinding | undefined> {
  if (flow === undefined || !tool.sends) return undefined;
  return await flow.examine({
    principal,
    destination: destinationOf(tool),
    ...outgoingOf(tool, prepared.args ?? args),
    setting: policy.effectiveFor(principal, client).flowOf(tool.name),
    gaveItself: tool.gaveItself,
  });
}

/**
 * Begins to examine the outgoing text while other records are read. That is not too early, because the arguments cannot
 * contain text that the caller receives later. The returned function waits for the finding, and examines again if
 * `prepare` changed the arguments. Returns undefined if the tool sends no text.
 */
export function beginExamining<Ports>(
  flow: InformationFlow | undefined,
  call: ParsedCall<Ports>,
): ((prepared: Prepared<Data>) => Promise<FlowFinding | undefined>) | undefined {
  if (flow === undefined || !call.tool.sends) return undefined;
  const looked = examineOutgoing(flow, call, {});
  // A call that ends before it waits for the finding ignores a failure.
  looked.catch(() => undefined);
  return (prepared) =>
    prepared.args === undefined ? looked : examineOutgoing(flow, call, prepared);
}

/** Returns whether `prepare` may send the arguments, which happens before a person could decide. */
export async function mayLeaveUnasked<Ports>(
  flow: InformationFlow | undefined,
  call: ParsedCall<Ports>,
): Promise<boolean> {
  if (call.tool.previews !== true) return false;
  return (await examineOutgoing(flow, call, {})) === undefined;
}

/** Records the content of an output that a caller receives. Returns undefined if it is not private. */
export function noteGiven<Ports>(
  flow: InformationFlow | undefined,
  tool: Tool<Ports>,
  { args, output, principal }: { args: Data; output: Data; principal: string },
): Promise<void> | undefined {
  return tool.reads === "private"
    ? flow?.given(principal, givenContents(tool, args, output))
    : undefined;
}

/** Records the sent text and the received content, of calls that run immediately and of approved ones. */
export function withFlow<Ports>(
  executor: ToolExecutor<Ports>,
  flow: InformationFlow | undefined,
): ToolExecutor<Ports> {
  if (flow === undefined) return executor;
  const noteSent = (
    tool: Tool<Ports>,
    args: Data,
    { principal }: { principal: string },
  ): Promise<void> | undefined =>
    tool.sends
      ? flow.sent({ principal, destination: destinationOf(tool), text: outgoingText(tool, args) })
      : undefined;
  return {
    ...executor,
    prepare: async (tool, args, caller) => {
      const noted = caller.mayPreview === true ? noteSent(tool, args, caller) : undefined;
      const prepared = await executor.prepare(tool, args, caller);
      await noted;
      return prepared;
    },
    execute: (tool, args, caller) => {
      const { principal } = caller;
      const noted = noteSent(tool, args, caller);
      const running = executor.execute(tool, args, caller);
      if (tool.reads !== "private" && noted === undefined) return running;
      return running.then((output) => {
        const given = noteGiven(flow, tool, { args, output, principal });
        if (noted !== undefined && given !== undefined)
          return Promise.all([noted, given]).then(() => output);
        return (noted ?? given)?.then(() => output) ?? output;
      });
    },
    idle: async () => {
      await executor.idle();
      await flow.idle();
    },
  };
}
