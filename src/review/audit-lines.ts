import type { ChainRow } from "../core/audit/audit-chain.ts";
import { visible } from "../core/approvals/effect.ts";

/** One event in one line. */
export function eventInShort({ seq, event }: ChainRow): string {
  if (event === undefined) return `${seq}  (cannot be read: it was changed)`;
  const { at, type, principal, client, tool, outcome, sentence } = event;
  const facts = [type, principal, client, tool, outcome ?? "-", sentence ?? "-"];
  return [seq, at.toISOString(), ...facts.map(visible)].join("  ");
}

/** One event with its place in the chain. */
export function eventAsData({ event, ...place }: ChainRow): Record<string, unknown> {
  return event === undefined
    ? { ...place, unreadable: true }
    : { ...place, ...event, at: event.at.toISOString() };
}
