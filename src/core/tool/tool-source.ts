import type { EffectivePolicy } from "../policy/policy.ts";
import type { Tool } from "./tool.ts";

/** The name of the tool that calls another one by name. Its risk is the risk of that tool. */
export const callToolName = "call_tool";

/** The call that a call of `call_tool` represents. */
export interface NamedCall {
  tool: string;
  arguments: Readonly<Record<string, unknown>>;
}

/** Tools beside those of the program, which may change while it runs. */
export interface ToolSource<Ports> {
  names(): readonly string[];
  /** @param effective the policy for the caller, for a tool that finds others */
  find(name: string, effective: EffectivePolicy): Tool<Ports> | undefined;
  /** Returns the call that these arguments of `call_tool` name. Undefined if they are invalid. */
  named(args: unknown): NamedCall | undefined;
  /** Returns why a tool of this source cannot be called now. Undefined for all other names. */
  withheld(name: string): string | undefined;
  /** Returns a tool that was offered before, even if it is withheld now: a finished run is still reported. */
  earlier(name: string): Tool<Ports> | undefined;
  /**
   * Why a call that was prepared for this version of its target can no longer run. Undefined if it can, and for other
   * names.
   */
  endedBecause(name: string, target: string | undefined): string | undefined;
}
