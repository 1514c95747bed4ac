import type { EffectFound } from "../tool/tool.ts";
import type { Tickets } from "./ticket.ts";

/** Results that are searched for one request, newest first. */
const maxResults = 50;

/**
 * Returns the effect for the dialog. If a person allowed this caller to see the item in an earlier result, the dialog
 * names the item. Results are kept for 24 hours (`approvalTimes.keepEnded`).
 */
export async function namedIfShown<Args>(
  effect: EffectFound<Args> | undefined,
  tickets: Tickets,
  { principal, configHash }: { principal: string; configHash: string },
): Promise<EffectFound<Args> | undefined> {
  if (effect === undefined || effect.forClient === "all") return effect;
  const { ifShown, withheld: _withheld, ...open } = effect.forClient;
  if (ifShown === undefined) return effect;
  const { headline, list, item, withheld } = ifShown;
  const done = await tickets.list({ statuses: ["done"], principal, limit: maxResults });
  const isShown = done.some(
    (ticket) =>
      ticket.status === "done" &&
      ticket.delivered &&
      ticket.configHash === configHash &&
      hasItem(ticket.output[list], item),
  );
  if (!isShown) return effect;
  return {
    ...effect,
    forClient: { ...open, headline, ...(withheld !== undefined && { withheld }) },
  };
}

/** Returns whether a list has an item with all of these fields. */
function hasItem(list: unknown, fields: Readonly<Record<string, string>>): boolean {
  return (
    Array.isArray(list) &&
    list.some(
      (each: unknown) =>
        typeof each === "object" &&
        each !== null &&
        Object.entries(fields).every(
          ([name, value]) => (each as Readonly<Record<string, unknown>>)[name] === value,
        ),
    )
  );
}
