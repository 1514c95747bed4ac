import type { RejectionNotes } from "../../../ports/mail/rejected-mail.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";

/** Creates the records of rejected messages in libSQL. */
export function createRejectionNotes(database: Database): RejectionNotes {
  return {
    note: async (mail) => {
      await database.write([
        {
          // The time of the first rejection is kept, because the message has been missing since then.
          sql: `INSERT INTO mail_rejections (rejection_id, rejected_at, intake, source, location, bytes, from_header, subject, reason)
            VALUES (?, ${now}, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (rejection_id) DO UPDATE SET source = excluded.source, location = excluded.location,
              bytes = excluded.bytes, reason = excluded.reason`,
          args: [
            mail.rejectionId,
            mail.intake,
            mail.source,
            mail.location,
            mail.bytes,
            mail.from,
            mail.subject,
            mail.reason,
          ],
        },
      ]);
    },
    remove: async (rejectionId) => {
      const [removed] = await database.write([
        {
          sql: "DELETE FROM mail_rejections WHERE rejection_id = ? RETURNING rejection_id",
          args: [rejectionId],
        },
      ]);
      return (removed?.rows.length ?? 0) > 0;
    },
  };
}
