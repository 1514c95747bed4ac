import type { GivenSource } from "../../core/flow/ledger.ts";
import { shownName } from "../../core/shared/text/visible.ts";
import { ianaZone, machineZone } from "../../core/shared/time-zone.ts";
import type { Calendar } from "../../ports/calendar/calendar.ts";
import type { Files } from "../../ports/files/files.ts";
import type { MailReader } from "../../ports/mail/mail-reader.ts";
import type { Reminder } from "../../ports/people/reminders.ts";
import { formatMoment } from "../../channels/words.ts";
import { timeThere } from "../../tools/calendar/format-times.ts";

/** A request waits no longer for the name of an event. Milliseconds. */
const calendarMs = 3_000;

/** Returns a sender's name with the address, because only the address can be verified and anyone can choose a name. */
function senderName({ name, address }: { name?: string; address: string }): string {
  if (name === undefined || name === address) return shownName(address);
  return address === "" ? shownName(name) : `${shownName(name)} (${shownName(address)})`;
}

/** Names items for the person who decides. The names are read when they are needed, and are not stored. */
export function sourceNames({
  mail,
  files,
  calendar,
  findReminder,
}: {
  mail: Pick<MailReader, "read">;
  files: Pick<Files, "stat">;
  /** Undefined if it is not configured. */
  calendar: Pick<Calendar, "find"> | undefined;
  findReminder: (reminderId: string) => Promise<Pick<Reminder, "text"> | undefined>;
}): (source: GivenSource) => Promise<string> {
  /** Names that are being read. A request often names one event several times. */
  const reading = new Map<string, Promise<string>>();

  async function mailName(emailId: string): Promise<string> {
    try {
      const { subject, from, date } = await mail.read(emailId, { offset: 0, length: 0 });
      return `the mail ${shownName(subject)} by ${senderName(from)}, ${formatMoment(date)}`;
    } catch {
      // A deleted mail has no name. Its id is in the audit record.
      return `the mail ${emailId}`;
    }
  }

  async function fileName(key: string): Promise<string> {
    const name = `the file ${shownName(key)}`;
    const origin = await files.stat(key).then(
      (facts) => facts?.origin,
      () => undefined,
    );
    if (origin === undefined) return name;
    const [first, ...more] = origin.emailIds;
    if (first === undefined) return `${name}, which the assistant wrote`;
    const others = more.length === 0 ? "" : ` and ${more.length} more`;
    return `${name}, which the assistant wrote after reading ${await mailName(first)}${others}`;
  }

  async function readEventName(eventId: string): Promise<string> {
    const zone = machineZone();
    try {
      const found = await calendar?.find(eventId, zone, {
        signal: AbortSignal.timeout(calendarMs),
      });
      if (found === undefined) return "an event of a calendar that is no longer configured";
      const { title, time } = found.event;
      const own = ianaZone(zone);
      return `the event ${shownName(title)}${own === undefined ? "" : `, ${timeThere(time, own)}`}`;
    } catch {
      // The id would say nothing to a person. The audit record contains it.
      return "an event that the calendar does not return now";
    }
  }

  function eventName(eventId: string): Promise<string> {
    const known = reading.get(eventId);
    if (known !== undefined) return known;
    const name = readEventName(eventId).finally(() => reading.delete(eventId));
    reading.set(eventId, name);
    return name;
  }

  async function reminderName(reminderId: string): Promise<string> {
    const found = await findReminder(reminderId).catch(() => undefined);
    return found === undefined ? "a deleted reminder" : `the reminder ${shownName(found.text)}`;
  }

  return async ({ kind, id, verified }) => {
    switch (kind) {
      case "mail":
        return `${await mailName(id)}${verified ? " (sender verified)" : ""}`;
      case "attachment":
        return `an attachment of ${await mailName(id.split(" ")[0] ?? id)}`;
      case "file":
        return await fileName(id);
      case "event":
        return await eventName(id);
      case "reminder":
        return await reminderName(id);
      case "web":
        return `the web page ${shownName(id)}`;
      case "upstream":
        return `a result of ${id}`;
    }
  };
}
