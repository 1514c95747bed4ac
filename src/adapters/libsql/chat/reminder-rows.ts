import type { DueReminder, Reminder } from "../../../ports/people/reminders.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import type { Row } from "../driver/statement.ts";
import { storedInteger, storedText, storedTime } from "../driver/stored-values.ts";

/** The longest duration of a delivery. After that it counts as unconfirmed. Milliseconds. */
const deliveredWithinMs = 60_000;
/** Limit on attempts of one delivery. More would only repeat a message that Telegram sends without confirming it. */
const mostAttempts = 3;
/** How long an unconfirmed last delivery is listed. Milliseconds. */
const keepForMs = 7 * 86_400_000;

/** A reminder with the start of its recurrence. */
export interface StoredReminder extends Reminder {
  principal: string;
  startAt: Date;
}

const columns = `*, iif(claimed_at <= ${now} - ${deliveredWithinMs}, sending_for, NULL) AS unconfirmed`;

const isRepeatable = `sending_for IS NOT NULL AND attempts < ${mostAttempts} AND claimed_at <= ${now} - ${deliveredWithinMs}`;

const isOfOther = (except: readonly string[]): string =>
  `principal NOT IN (${except.map(() => "?").join()})`;

/** Creates the rows of reminders in libSQL. Each change is one statement with its condition. */
export function createReminderRows(database: Database) {
  const read = async (where: string, args: (string | number)[]): Promise<StoredReminder[]> => {
    const { rows } = await database.read({
      sql: `SELECT ${columns} FROM reminders WHERE ${where}`,
      args,
    });
    return rows.map(toReminder);
  };
  const change = async (sql: string, args: (string | number | null)[]): Promise<boolean> => {
    const [changed] = await database.write([{ sql: `${sql} RETURNING reminder_id`, args }]);
    return (changed?.rows.length ?? 0) > 0;
  };

  return {
    /** Returns false if the caller already has `most`. */
    add: async (
      reminder: Omit<StoredReminder, "unconfirmed" | "dueAt"> & { dueAt: Date },
      most: number,
    ): Promise<boolean> => {
      const { reminderId, principal, text, startAt, timeZone, recurrence, dueAt } = reminder;
      return await change(
        `INSERT INTO reminders (reminder_id, principal, text, start_at, time_zone, recurrence, due_at)
          SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
          WHERE (SELECT count(*) FROM reminders WHERE principal = ?2 AND due_at IS NOT NULL) < ?8`,
        [
          reminderId,
          principal,
          text,
          startAt.getTime(),
          timeZone,
          recurrence ?? null,
          dueAt.getTime(),
          most,
        ],
      );
    },

    list: async (principal: string): Promise<StoredReminder[]> =>
      await read(
        `principal = ? AND (due_at IS NOT NULL OR (sending_for IS NOT NULL AND claimed_at > ${now} - ${keepForMs}))
          ORDER BY coalesce(due_at, sending_for), reminder_id`,
        [principal],
      ),

    /** Returns a reminder of any caller, for the person who decides. */
    find: async (reminderId: string): Promise<StoredReminder | undefined> =>
      (await read("reminder_id = ?", [reminderId]))[0],

    cancel: async (principal: string, reminderId: string): Promise<boolean> =>
      await change("DELETE FROM reminders WHERE principal = ? AND reminder_id = ?", [
        principal,
        reminderId,
      ]),

    /** Returns the reminder that has been due the longest, of other callers than these. */
    earliest: async (
      except: readonly string[],
    ): Promise<(StoredReminder & { dueAt: Date }) | undefined> => {
      const [due] = await read(
        `due_at <= ${now} AND ${isOfOther(except)} ORDER BY due_at LIMIT 1`,
        [...except],
      );
      return due?.dueAt && { ...due, dueAt: due.dueAt };
    },

    /** Moves a reminder to its next time. Returns false if another process did so first. */
    claim: async (reminderId: string, dueAt: Date, next: Date | undefined): Promise<boolean> =>
      await change(
        `UPDATE reminders SET due_at = ?, sending_for = due_at, claimed_at = ${now}, attempts = 1
          WHERE reminder_id = ? AND due_at = ?`,
        [next?.getTime() ?? null, reminderId, dueAt.getTime()],
      ),

    /** Returns the longest unconfirmed delivery that may be repeated, of other callers than these. */
    unconfirmed: async (
      except: readonly string[],
    ): Promise<(StoredReminder & { unconfirmed: Date }) | undefined> => {
      const [found] = await read(
        `${isRepeatable} AND ${isOfOther(except)} ORDER BY claimed_at LIMIT 1`,
        [...except],
      );
      return found?.unconfirmed && { ...found, unconfirmed: found.unconfirmed };
    },

    /** Claims an unconfirmed delivery. Returns false if another process did so first. */
    claimAgain: async (reminderId: string, at: Date): Promise<boolean> =>
      await change(
        `UPDATE reminders SET claimed_at = ${now}, attempts = attempts + 1
          WHERE reminder_id = ? AND sending_for = ? AND ${isRepeatable}`,
        [reminderId, at.getTime()],
      ),

    sent: async ({ reminderId, at }: DueReminder): Promise<void> => {
      await database.write([
        {
          sql: "UPDATE reminders SET sending_for = NULL WHERE reminder_id = ? AND sending_for = ?",
          args: [reminderId, at.getTime()],
        },
        {
          sql: `DELETE FROM reminders WHERE due_at IS NULL AND (sending_for IS NULL OR claimed_at <= ${now} - ${keepForMs})`,
          args: [],
        },
      ]);
    },

    /** A repeated delivery stays unconfirmed, because the first attempt may have sent it. */
    release: async ({ reminderId, at, isRepeated }: DueReminder): Promise<void> => {
      const again = isRepeated
        ? "claimed_at = 0, attempts = attempts - 1"
        : "due_at = sending_for, sending_for = NULL";
      await change(`UPDATE reminders SET ${again} WHERE reminder_id = ? AND sending_for = ?`, [
        reminderId,
        at.getTime(),
      ]);
    },
  };
}

function toReminder(row: Row): StoredReminder {
  const time = (column: string): Date | undefined =>
    row[column] === null ? undefined : new Date(storedInteger(row[column]));
  const recurrence = row["recurrence"];
  return {
    reminderId: storedText(row["reminder_id"]),
    principal: storedText(row["principal"]),
    text: storedText(row["text"]),
    startAt: storedTime(row["start_at"]),
    timeZone: storedText(row["time_zone"]),
    recurrence: typeof recurrence === "string" ? recurrence : undefined,
    dueAt: time("due_at"),
    unconfirmed: time("unconfirmed"),
  };
}
