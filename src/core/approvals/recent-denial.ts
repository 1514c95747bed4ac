import { approvalTimes } from "./approval.ts";
import type { ChannelsHere } from "./directions.ts";
import { mustNotBePaused } from "./pause.ts";
import type { DeniedTicket, Tickets } from "./ticket.ts";
import type { Tool } from "../tool/tool.ts";

/**
 * The refusal that stands for a call of this tool on this target, whatever else the call says. Throws `forbidden` while
 * everything is paused. Looked up before a call counts: what a person stopped uses no budget up.
 */
export async function recentDenial<Ports>(
  stores: { tickets: Tickets; here: ChannelsHere },
  tool: Tool<Ports>,
  args: Readonly<Record<string, unknown>>,
  { principal, configHash }: { principal: string; configHash: string },
): Promise<DeniedTicket | undefined> {
  await mustNotBePaused(stores, tool, principal);
  const actsOn = tool.actsOn?.(args);
  if (actsOn === undefined) return undefined;
  const call = { principal, tool: tool.name, actsOn, configHash };
  return await stores.tickets.findDenied(call, approvalTimes.denialStands);
}
