import { createMarksThread } from "../../../adapters/fingerprints/marks-thread.ts";
import { createReminderRows } from "../../../adapters/libsql/chat/reminder-rows.ts";
import type { Database } from "../../../adapters/libsql/driver/database.ts";
import { createLedger } from "../../../adapters/libsql/flow/ledger.ts";
import { type InformationFlow, createInformationFlow } from "../../../core/flow/flow.ts";
import type { RecordingMarks } from "../../../core/flow/recording-marks.ts";
import type { Log } from "../../../core/shared/log.ts";
import type { Calendar } from "../../../ports/calendar/calendar.ts";
import type { Files } from "../../../ports/files/files.ts";
import type { MailReader } from "../../../ports/mail/mail-reader.ts";
import { sourceNames } from "../source-names.ts";

/** Opens the record of private items that callers received. Loaded at its first use: see `lazy-flow.ts`. */
export function openFlow(
  {
    database,
    mail,
    files,
    calendar,
  }: {
    database: Database;
    mail: MailReader;
    files: Files;
    calendar: Calendar | undefined;
  },
  {
    key,
    lastsMs,
    marks,
    log,
  }: { key: Uint8Array; lastsMs: number; marks: RecordingMarks | undefined; log: Log },
): InformationFlow {
  return createInformationFlow({
    ledger: createLedger(database, { lastsMs }),
    key,
    maker: createMarksThread(key),
    marks,
    nameOf: sourceNames({
      mail,
      files,
      calendar,
      findReminder: createReminderRows(database).find,
    }),
    log,
  });
}
