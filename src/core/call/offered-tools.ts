import {
  type Policy,
  type EffectivePolicy,
  defaultPolicy,
  laterObjection,
} from "../policy/policy.ts";
import type { Ticket } from "../approvals/ticket.ts";
import { ToolError } from "../tool/tool-error.ts";
import { callToolName, type ToolSource } from "../tool/tool-source.ts";
import type { Tool } from "../tool/tool.ts";

interface Called {
  tool: string;
  arguments: unknown;
}

/** The tools of a process, and which caller may call them. */
export interface OfferedTools<Ports> {
  has(name: string): boolean;
  /** Returns whether `known` finds a tool. */
  knows(name: string): boolean;
  /** Returns the called tool. A tool that the caller may not call is reported as unknown. */
  find(name: string, effective: EffectivePolicy): Tool<Ports>;
  /** Returns the policy that also denies every tool above low risk. */
  lowRisk(effective: EffectivePolicy): EffectivePolicy;
  /** Returns the tool of a request, even if it is no longer offered: a finished run is still reported. */
  readonly known: (name: string) => Tool<Ports>;
  /** Returns a tool whatever the policy says. @throws ToolError `forbidden` if it is withheld now */
  readonly present: (name: string, caller?: Pick<Ticket, "principal" | "client">) => Tool<Ports>;
  /** Returns the call that a call of `call_tool` represents. Any other call is returned unchanged. */
  named<Call extends Called>(call: Call): Call & { through?: string };
  /** Throws `forbidden` if the policy no longer permits an approved call, or its tool is withheld. */
  assertStillPermitted(ticket: Ticket): void;
  /** Returns the error that ends a pending request, because its tool is withheld or was reviewed in another form. */
  endOf(ticket: Ticket): ToolError | undefined;
}

export function offeredTools<Ports>(
  tools: readonly Tool<Ports>[],
  policy: () => Policy,
  more?: ToolSource<Ports>,
): OfferedTools<Ports> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const anyone = defaultPolicy.effectiveFor("");
  const toolOf = (name: string, effective = anyone): Tool<Ports> | undefined =>
    byName.get(name) ?? more?.find(name, effective);

  function find(name: string, effective: EffectivePolicy): Tool<Ports> {
    const tool = toolOf(name, effective);
    if (tool !== undefined && !effective.denies(name)) return tool;
    const withheld = effective.denies(name) ? undefined : more?.withheld(name);
    if (withheld !== undefined) {
      throw new ToolError("forbidden", `${name} is withheld. ${withheld} Nothing was done.`, {
        hint: "Tell the user, who can review this server. You cannot review it yourself.",
      });
    }
    const names = [...byName.keys(), ...(more?.names() ?? [])].filter(
      (each) => !effective.denies(each),
    );
    throw new ToolError(
      "not_found",
      `There is no tool ${JSON.stringify(name.slice(0, 80))}. Nothing was done.`,
      { hint: `Tools: ${names.join(", ")}.` },
    );
  }

  const known: OfferedTools<Ports>["known"] = (name) =>
    toolOf(name) ?? more?.earlier(name) ?? find(name, anyone);

  const present: OfferedTools<Ports>["present"] = (name, caller) => {
    const effective = caller && policy().effectiveFor(caller.principal, caller.client);
    return toolOf(name, effective) ?? find(name, anyone);
  };

  return {
    has: (name) => toolOf(name) !== undefined,
    knows: (name) => toolOf(name) !== undefined || more?.earlier(name) !== undefined,
    find,
    lowRisk: (effective) => ({
      ...effective,
      denies: (name) =>
        effective.denies(name) || toolOf(name)?.risk !== "low" || effective.floorOf(name) !== "low",
    }),
    known,
    present,
    named: (call) => {
      const named = call.tool === callToolName ? more?.named(call.arguments) : undefined;
      return named === undefined ? call : { ...call, ...named, through: callToolName };
    },
    assertStillPermitted: (ticket) => {
      const objection = laterObjection(policy(), ticket, present(ticket.tool).operation);
      if (objection === undefined) return;
      throw new ToolError("forbidden", `${objection} Nothing was done.`);
    },
    endOf: ({ tool, target }) => {
      if (byName.has(tool)) return undefined;
      const reason = more?.endedBecause(tool, target);
      if (reason === undefined) return undefined;
      return new ToolError("forbidden", `${reason} Nothing was done, and the request has ended.`, {
        hint: "Tell the user. The user can review the server, and then you can call again.",
      });
    },
  };
}
