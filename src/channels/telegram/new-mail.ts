import type { Log } from "../../core/shared/log.ts";
import type { MailNews, MailNotices } from "../../ports/mail/mail-notices.ts";
import type { MailPerson } from "../../ports/mail/mail-reader.ts";
import type { Messenger } from "../../ports/people/messenger.ts";
import { Trouble } from "./back-off.ts";
import { wasSurelyNotSent } from "./each-chat.ts";
import { type ChatLine, clean, plainText } from "./plain-text.ts";

/** Mails per message. Further ones are counted. */
const shownAtMost = 5;

/** How long to wait for further mail, to report it in one message. Milliseconds. */
const gatherForMs = 30_000;
/** How often new mail is checked. Mail that arrives between two checks counts as continuous. Milliseconds. */
const pollEveryMs = 3_000;
/** The pause after a message that had to count. Milliseconds. */
const quietAfterManyMs = 5 * 60_000;
/** The shortest time between notices about quarantine alone, because any sender can cause them. Milliseconds. */
const quarantineEveryMs = 3_600_000;

const lost = "sending a notice of new mail to Telegram failed";
const found = "notices of new mail in Telegram work again";

const characters = { name: 80, address: 100, subject: 150, summary: 280 } as const;

/** Creates the notices of new mail. Sent at most once: only a notice that was certainly not sent is repeated. */
export function createMailNews(settings: {
  messenger: Messenger;
  notices: MailNotices;
  chats: readonly { chatId: string }[];
  /** The command as the user types it on the server's machine. */
  command: string;
  log: Log;
}): () => Promise<void> {
  const { messenger, notices, chats, command, log } = settings;
  const trouble = new Trouble();
  /** A failure in some of the chats. */
  const partly = new Trouble();
  let nextPollAt = -Infinity;
  let gathering: { since: number; mails: number } | undefined;
  let quarantineToldAt = -Infinity;

  async function poll(): Promise<void> {
    const now = performance.now();
    const { mails, quarantined } = await notices.waiting();
    const isQuarantineDue = quarantined > 0 && now - quarantineToldAt >= quarantineEveryMs;
    if (mails === 0 && !isQuarantineDue) return;
    if (mails > 0 && gathering?.mails !== mails && now - (gathering?.since ?? now) < gatherForMs) {
      gathering = { since: gathering?.since ?? now, mails };
      return;
    }
    gathering = undefined;
    const news = await notices.take(shownAtMost);
    if (news.quarantined > 0) quarantineToldAt = now;
    await tell(news);
    if (news.arrived > shownAtMost || news.imported > 0) nextPollAt = now + quietAfterManyMs;
  }

  async function tell(news: MailNews): Promise<void> {
    const message = { ...plainText(linesOf(news, command)), buttons: [] };
    const failures: unknown[] = [];
    for (const { chatId } of chats) {
      await messenger.send(chatId, message).catch((cause: unknown) => failures.push(cause));
    }
    if (failures.length === chats.length && failures.every(wasSurelyNotSent))
      await notices.release(news.taken);
    if (failures.length === chats.length) throw failures[0];
    // One chat's failure does not delay the next notice to the others.
    if (failures.length === 0) partly.over(() => log.info(found));
    else partly.failed(failures[0], () => log.warn(lost, { cause: failures[0] }));
  }

  return async () => {
    if (performance.now() < nextPollAt) return;
    nextPollAt = performance.now() + pollEveryMs;
    try {
      await poll();
      trouble.over(() => log.info(found));
    } catch (cause) {
      const waitMs = trouble.failed(cause, () => log.warn(lost, { cause }));
      nextPollAt = performance.now() + waitMs;
    }
  };
}

/** Formats the lines. Only the sender's words are foreign text, and they are quoted. */
function linesOf(
  { newest, arrived, imported, quarantined }: MailNews,
  command: string,
): ChatLine[] {
  const lines: ChatLine[] = arrived > 0 ? [`${counted(arrived, "new mail")}.`] : [];
  for (const { from, forwardedBy, subject, summary } of newest) {
    const by = forwardedBy === undefined ? "" : `, says ${formatSender(forwardedBy)}`;
    lines.push("", { label: "from", value: `${formatSender(from)}${by}` });
    lines.push({ label: "subject", value: clean(subject, characters.subject) });
    if (summary !== "") lines.push({ label: "summary", value: clean(summary, characters.summary) });
  }
  const rest = arrived - newest.length;
  if (rest > 0) lines.push("", `${rest} more are searchable.`);
  if (imported > 0) lines.push(`${counted(imported, "mail")} imported.`);
  if (quarantined > 0) {
    lines.push(`${counted(quarantined, "mail")} in quarantine.`);
    lines.push({ label: "to see", value: `${command} mail quarantine` });
  }
  return lines;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function formatSender({ name, address }: MailPerson): string {
  const shown = `<${clean(address, characters.address)}>`;
  return name === undefined ? shown : `${clean(name, characters.name)} ${shown}`;
}
