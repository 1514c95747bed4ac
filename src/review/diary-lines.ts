import { inMachineZone, machineZone } from "../core/shared/time-zone.ts";
import { type DiaryDay, type DiaryEntry, inWords } from "./diary.ts";
import { moment } from "./words.ts";

/** `10:02`. */
export const clockInWords = inMachineZone({ hour: "2-digit", minute: "2-digit" });

export function zoneInWords(): string {
  return machineZone();
}

/** `An assistant read notes/a.md (3 times) ("claude-code")`. */
export function entryInWords(entry: DiaryEntry): string {
  return inWords(entry, entry.times);
}

/** A day for a terminal: one line an entry, and how to undo what can be undone. `command`: this program as it is typed here. */
export function dayInWords({ day, entries }: DiaryDay, command: string): string[] {
  return [
    day,
    ...entries.flatMap((entry) => {
      const { at, undo } = entry;
      const line = `  ${clockInWords(at)}  ${entryInWords(entry)}`;
      if (undo?.state === "undone") return [`${line} (undone)`];
      if (undo?.state !== "possible") return [line];
      return [
        line,
        `         to take it back until ${moment(undo.until)}: ${command} undo ${undo.undoId}`,
      ];
    }),
    "",
  ];
}

/** A day for scripts: the same facts, times as ISO 8601. */
export function dayAsData({ entries }: DiaryDay): string[] {
  return entries.map((entry) => {
    const { at, who, text, client, times, principal, undo } = entry;
    const told = { at: at.toISOString(), who, text, ...(client && { client }), times, principal };
    return JSON.stringify({
      ...told,
      ...(undo && { undo: { ...undo, until: undo.until.toISOString() } }),
    });
  });
}
