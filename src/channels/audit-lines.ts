import type { ChainRow } from "../core/audit/audit-chain.ts";
import { visible } from "../core/shared/text/visible.ts";

/** Formats one event as a line. */
export function summarizeEvent({ seq, event }: ChainRow): string {
  if (event === undefined) return `${seq}  (unreadable: the row was changed)`;
  const { at, type, principal, client, tool, outcome, sentence } = event;
  const facts = [type, principal, client, tool, outcome ?? "-", sentence ?? "-"];
  return [seq, at.toISOString(), ...facts.map(visible)].join("  ");
}

/** Returns one event with its position in the chain. */
export function eventToJson({ event, ...place }: ChainRow): Record<string, unknown> {
  return event === undefined
    ? { ...place, unreadable: true }
    : { ...place, ...event, at: event.at.toISOString() };
}
