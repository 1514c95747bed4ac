import { asToolError, errorFields } from "../core/tool/tool-error.ts";
import { checkArguments } from "../core/call/parse-arguments.ts";
import { isTool, type ToolContract } from "../core/tool/tool.ts";
import { callsIn } from "./calls-in.ts";
import { type PlannedCall, parseCall } from "./parse-call.ts";
import type { Provider } from "./providers.ts";

/** A call that cannot be run, and why. */
interface FaultyCall {
  error: { kind: string; message: string; hint?: string };
}

/**
 * Finds and validates the calls in a provider's response, or in one call or a list of calls. Runs nothing.
 * @param provider undefined if only calls are given
 */
export async function parseResponse(
  tools: readonly ToolContract<never>[],
  response: unknown,
  provider?: Provider,
): Promise<readonly ({ id?: string } & (PlannedCall | FaultyCall))[]> {
  const read = callsIn(response, provider).map(async ({ id, call }) => {
    const named = id === undefined ? {} : { id };
    try {
      const planned = parseCall(tools, call);
      const tool = tools.find(({ name }) => name === planned.tool);
      if (tool !== undefined && isTool(tool)) await checkArguments(tool, planned.arguments);
      return { ...named, ...planned };
    } catch (thrown) {
      const { kind, message, hint } = errorFields(asToolError(thrown, false));
      return { ...named, error: { kind, message, ...(hint !== undefined && { hint }) } };
    }
  });
  return await Promise.all(read);
}
