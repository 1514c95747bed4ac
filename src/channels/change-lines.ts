import { quotedClient } from "../core/shared/text/client-name.ts";
import { visible } from "../core/shared/text/visible.ts";
import type { RecentChange, UndoOffer } from "../ports/files/recent-changes.ts";
import { formatChange } from "./diary.ts";
import { formatMoment } from "./words.ts";

/** Formats an undo offer for the person who decides. */
export function formatOffer({ undoId, sentence, lines, fingerprint, until }: UndoOffer): string {
  const facts = [
    ...lines.map(({ label, value }) => [label, visible(value)] as const),
    ["fingerprint", fingerprint] as const,
    ["possible", `until ${formatMoment(until)}`] as const,
    ["change", undoId] as const,
  ];
  const width = Math.max(...facts.map(([label]) => label.length));
  return [
    `Undo: ${visible(sentence)}`,
    ...facts.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`),
  ].join("\n");
}

/** Formats one undoable change as a line: the change, then its id. */
export function summarizeChange({ at, client, sentence, undo }: RecentChange): string {
  return [
    // The time is removed, because the next column contains it.
    visible(sentence).replace(/, undo until \S+$/, ""),
    ...(undo === undefined ? [] : [undo.undoId, `until ${formatMoment(undo.until)}`]),
    formatMoment(at),
    `(${quotedClient(client)})`,
  ].join("  ");
}

/**
 * Formats one reported change with the command that undoes it.
 * @param command this program as the user types it
 */
export function formatUndoableChange(change: RecentChange, command: string): string {
  const { at, undo } = change;
  const line = `${formatMoment(at)}  ${formatChange(change)}`;
  return undo?.state === "possible"
    ? `${line}\n  to undo it before ${formatMoment(undo.until)}: ${command} undo ${undo.undoId}`
    : line;
}

export function changeToJson({ seq, undo, ...change }: RecentChange): Record<string, unknown> {
  return {
    seq,
    ...change,
    at: change.at.toISOString(),
    ...(undo && { undo: { ...undo, until: undo.until.toISOString() } }),
  };
}
