import { approvalTimes } from "./approval.ts";
import type { ChannelsHere } from "./directions.ts";
import { assertNotPaused } from "./pause.ts";
import type { DeniedTicket, Tickets } from "./ticket.ts";
import type { Tool } from "../tool/tool.ts";

/**
 * Finds a recent denial of this tool on this target, whatever the other arguments are. This runs before the call is
 * counted, so denied calls use no budget.
 * @throws ToolError `forbidden` during a pause
 */
export async function recentDenial<Ports>(
  stores: { tickets: Tickets; here: ChannelsHere },
  tool: Tool<Ports>,
  args: Readonly<Record<string, unknown>>,
  { principal, configHash }: { principal: string; configHash: string },
): Promise<DeniedTicket | undefined> {
  await assertNotPaused(stores, tool, principal);
  const actsOn = tool.actsOn?.(args);
  if (actsOn === undefined) return undefined;
  const call = { principal, tool: tool.name, actsOn, configHash };
  return await stores.tickets.findDenied(call, approvalTimes.denialLasts);
}
