import {
  type Policy,
  type EffectivePolicy,
  defaultPolicy,
  laterObjection,
} from "../policy/policy.ts";
import type { Ticket } from "../approvals/ticket.ts";
import { ToolError } from "../tool/tool-error.ts";
import type { Tool } from "../tool/tool.ts";

/** The tools of a process, for those who may call them. */
export interface OfferedTools<Ports> {
  has(name: string): boolean;
  /** The tool that is called. To whoever may not call it, it is not there. */
  find(name: string, view: EffectivePolicy): Tool<Ports>;
  /** Returns the policy that also denies every tool above low risk. */
  lowRisk(view: EffectivePolicy): EffectivePolicy;
  /** The tool of a ticket, whatever the policy says now: what has run is reported. */
  known(name: string): Tool<Ports>;
  /** Throws `forbidden` where the policy has become too narrow for what was approved. */
  mustStillBePermitted(ticket: Ticket): void;
}

export function offeredTools<Ports>(
  tools: readonly Tool<Ports>[],
  policy: () => Policy,
): OfferedTools<Ports> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));

  function find(name: string, view: EffectivePolicy): Tool<Ports> {
    const tool = byName.get(name);
    if (tool !== undefined && !view.denies(name)) return tool;
    const names = [...byName.keys()].filter((each) => !view.denies(each));
    throw new ToolError(
      "not_found",
      `There is no tool ${JSON.stringify(name.slice(0, 80))}. Nothing was done.`,
      { hint: `Tools: ${names.join(", ")}.` },
    );
  }

  const known = (name: string): Tool<Ports> => find(name, defaultPolicy.viewOf(""));

  return {
    has: (name) => byName.has(name),
    find,
    lowRisk: (view) => ({
      ...view,
      denies: (name) =>
        view.denies(name) || byName.get(name)?.risk !== "low" || view.floorOf(name) !== "low",
    }),
    known,
    mustStillBePermitted: (ticket) => {
      const objection = laterObjection(policy(), ticket, known(ticket.tool).operation);
      if (objection === undefined) return;
      throw new ToolError("forbidden", `${objection} Nothing was done.`);
    },
  };
}
