import { quotedClient } from "../../core/shared/text/client-name.ts";
import type { Ticket } from "../../core/approvals/ticket.ts";
import type { Log } from "../../core/shared/log.ts";
import {
  dayMs,
  isoDate,
  type TimeZone,
  utcToWall,
  wallToUtc,
} from "../../core/shared/time-zone.ts";
import type { RecentChange } from "../../ports/files/recent-changes.ts";
import type { MailNotice } from "../../ports/mail/mail-notices.ts";
import type { DigestDays } from "../../ports/people/digest-days.ts";
import type { Messenger } from "../../ports/people/messenger.ts";
import { formatMoment, withLocalTimes } from "../words.ts";
import { eachChat, wasSurelyNotSent } from "./each-chat.ts";
import type { Chat } from "./people.ts";
import { type ChatLine, clean, plainText } from "./plain-text.ts";

/** Entries of each kind. Further ones are counted. */
export const digestEntries = 5;

/** A digest is late after this time. Milliseconds. */
const lateFromMs = 10 * 60_000;

const characters = { from: 80, subject: 120, summary: 200, sentence: 200 } as const;

/** The facts of one digest, each list with at most `digestEntries`. */
export interface DigestFacts {
  mails: { newest: readonly MailNotice[]; total: number };
  /** Today's busy times in words: `09:00-10:30`. Undefined if the calendar could not be read. */
  busy: readonly string[] | undefined;
  waiting: { newest: readonly Ticket[]; total: number };
  /** Yesterday's changes without approval. */
  changes: { newest: readonly RecentChange[]; total: number };
}

export interface DigestSettings {
  days: DigestDays;
  /** Minutes from midnight. */
  at: number;
  zone: TimeZone;
  /** @param span `today` and `yesterday` are midnights. `since` is the time of the digest before. */
  facts: (
    span: { yesterday: Date; today: Date; tomorrow: Date; since: Date },
    principal: string | undefined,
  ) => Promise<DigestFacts>;
}

/**
 * Creates the daily digest. Each chat gets one a day, and a missed one late on the same day. It is sent at most once: a
 * day is claimed before.
 */
export function createDigestNews(
  settings: DigestSettings & { messenger: Messenger; chats: readonly Chat[]; log: Log },
): () => Promise<void> {
  const { messenger, days, at, zone, facts, log } = settings;
  const done = new Map<string, string>();

  async function tell({ chatId, principal }: Chat): Promise<void> {
    const now = new Date();
    const wall = utcToWall(now.getTime(), zone);
    const midnight = Math.floor(wall / dayMs) * dayMs;
    const dueWall = midnight + at * 60_000;
    const day = isoDate(wall);
    if (wall < dueWall || done.get(chatId) === day) return;
    if (!(await days.take(chatId, day))) {
      done.set(chatId, day);
      return;
    }
    try {
      const instant = (ofDay: number): Date => new Date(wallToUtc(ofDay, zone));
      const span = {
        yesterday: instant(midnight - dayMs),
        today: instant(midnight),
        tomorrow: instant(midnight + dayMs),
        since: instant(dueWall - dayMs),
      };
      const due = instant(dueWall);
      const lines = linesOf(
        await facts(span, principal),
        now.getTime() - due.getTime() > lateFromMs ? due : undefined,
      );
      if (lines !== undefined) await messenger.send(chatId, { ...plainText(lines), buttons: [] });
    } catch (cause) {
      // Before the message, nothing was sent for certain either.
      if (wasSurelyNotSent(cause)) await days.release(chatId, day);
      else done.set(chatId, day);
      throw cause;
    }
    done.set(chatId, day);
  }

  return eachChat(settings.chats, tell, {
    log,
    lost: "sending the daily digest failed",
    found: "sending the daily digest works again",
  });
}

/** Formats a digest. Undefined if there is nothing to say. */
function linesOf(
  { mails, busy, waiting, changes }: DigestFacts,
  lateSince: Date | undefined,
): ChatLine[] | undefined {
  if (mails.total + waiting.total + changes.total + (busy?.length ?? 0) === 0) return undefined;
  const lines: ChatLine[] = [
    lateSince === undefined
      ? "Your day."
      : `Your day. Late: it was for ${formatMoment(lateSince)}.`,
  ];
  const section = (title: string, total: number, entries: readonly ChatLine[]): void => {
    if (total === 0) return;
    lines.push("", `${title}: ${total}`, ...entries);
    if (total > digestEntries) lines.push(`and ${total - digestEntries} more`);
  };
  section("New mail", mails.total, mails.newest.flatMap(mailLines));
  if (busy === undefined) lines.push("", "The calendar could not be read.");
  else if (busy.length > 0) lines.push("", `Busy today: ${busy.join(", ")}`);
  section(
    "Waiting for your approval",
    waiting.total,
    waiting.newest.map(({ effect, client }) => ({
      label: "",
      value: `${clean(effect.forPerson.headline, characters.sentence)}, asked by ${quotedClient(client)}`,
    })),
  );
  section(
    "Done yesterday without approval",
    changes.total,
    changes.newest.map(({ sentence }) => ({
      label: "",
      value: clean(withLocalTimes(sentence), characters.sentence),
    })),
  );
  return lines;
}

function mailLines({ from, subject, summary }: MailNotice): ChatLine[] {
  const sender = clean(from.name ?? from.address, characters.from);
  const head = {
    label: sender === "" ? "" : "from",
    value: `${sender}: ${clean(subject, characters.subject)}`,
  };
  return summary === ""
    ? [head]
    : [head, { label: "summary", value: clean(summary, characters.summary) }];
}
