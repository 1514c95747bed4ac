import { inMachineZone, machineZone } from "../core/shared/time-zone.ts";
import { type DiaryDay, type DiaryEntry, formatTold } from "./diary.ts";
import { formatMoment } from "./words.ts";

/** Formats a time of day: `10:02`. */
export const formatClock = inMachineZone({ hour: "2-digit", minute: "2-digit" });

export function formatZone(): string {
  return machineZone();
}

/** Formats an entry: `An assistant read notes/a.md (3 times) ("claude-code")`. */
export function formatEntry(entry: DiaryEntry): string {
  return formatTold(entry, entry.times);
}

/**
 * Formats a day for a terminal: one line per entry, and the commands that undo changes.
 * @param command this program as the user types it
 */
export function formatDay({ day, entries }: DiaryDay, command: string): string[] {
  return [
    day,
    ...entries.flatMap((entry) => {
      const { at, undo } = entry;
      const line = `  ${formatClock(at)}  ${formatEntry(entry)}`;
      if (undo?.state === "undone") return [`${line} (undone)`];
      if (undo?.state !== "possible") return [line];
      return [
        line,
        `         to undo it before ${formatMoment(undo.until)}: ${command} undo ${undo.undoId}`,
      ];
    }),
    "",
  ];
}

/** Formats a day for scripts, with the same facts and times in ISO 8601. */
export function dayToJson({ entries }: DiaryDay): string[] {
  return entries.map((entry) => {
    const { at, who, text, client, times, principal, undo } = entry;
    const data = { at: at.toISOString(), who, text, ...(client && { client }), times, principal };
    return JSON.stringify({
      ...data,
      ...(undo && { undo: { ...undo, until: undo.until.toISOString() } }),
    });
  });
}
