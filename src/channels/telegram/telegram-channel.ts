import type { AuditRecord } from "../../core/audit/audit.ts";
import type { Log } from "../../core/shared/log.ts";
import type { RuleStore } from "../../core/policy/rules/rule-store.ts";
import type { Tickets } from "../../core/approvals/ticket.ts";
import type { ChangeMessages } from "../../ports/people/change-messages.ts";
import type { ChatRecord } from "../../ports/people/chat-record.ts";
import type { MailNotices } from "../../ports/mail/mail-notices.ts";
import type { Messenger } from "../../ports/people/messenger.ts";
import type { RecentChanges, Undo } from "../../ports/files/recent-changes.ts";
import { createChangeNews } from "./changes.ts";
import type { ChatAssistant } from "./chat-command.ts";
import { createEventHandler } from "./events.ts";
import type { DueReminders } from "../../ports/people/reminders.ts";
import { createDigestNews, type DigestSettings } from "./digest.ts";
import { createMailNews } from "./new-mail.ts";
import { chatPeople, ownChatsOf } from "./people.ts";
import { receiveEvents } from "./receiving.ts";
import { createReminderNews } from "./reminders.ts";
import { createTelling } from "./telling.ts";

/** How often pending messages are checked. Milliseconds. */
const pollEveryMs = 1_000;
/**
 * The delay of an additional check after a call. By then it is known whether the client shows a dialog. Milliseconds.
 */
const pollSoonMs = 600;
const purgeEvery = 3_600_000;
/** How long a stop waits for a running message. Milliseconds. */
const stopWithinMs = 2_000;

export interface TelegramChannel {
  /** Checks now for pending messages. */
  wake(): void;
  close(): Promise<void>;
}

/**
 * Opens the Telegram channel. Requests are sent to the chats and presses are received until it is closed. Runs in the
 * leader only.
 */
export function openTelegramChannel(settings: {
  messenger: Messenger;
  record: ChatRecord;
  tickets: Tickets;
  audit: AuditRecord;
  rules: RuleStore;
  changeMessages: ChangeMessages;
  recentChanges: RecentChanges;
  undo: Undo;
  reminders: DueReminders;
  /** Undefined without `DIGEST_AT`. */
  digest: DigestSettings | undefined;
  /** Opens the assistant. `wake` sends new requests to their chats. Undefined if messages are not answered. */
  openAssistant: ((wake: () => void) => ChatAssistant) | undefined;
  /** Undefined if notices of new mail are off. */
  notices: MailNotices | undefined;
  chatIds: readonly string[];
  approvers: readonly { userId: string; name: string }[];
  /** The command as the user types it on the server's machine. */
  command: string;
  log: Log;
}): TelegramChannel {
  const { messenger, record, notices, log } = settings;
  const people = chatPeople(settings);
  const tell = createTelling({ ...settings, people });
  const assistant = settings.openAssistant?.(wake);
  const handle = createEventHandler({ ...settings, people, assistant, onDecided: wake });
  const tellChanges = createChangeNews({ ...settings, chats: people.chats });
  const tellNews = notices && createMailNews({ ...settings, notices, chats: people.chats });
  const remind = createReminderNews({
    ...settings,
    chatsOf: (principal) => ownChatsOf(settings, principal),
  });
  const tellDigest =
    settings.digest && createDigestNews({ ...settings, ...settings.digest, chats: people.chats });
  const closing = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let polling: Promise<void> | undefined;
  let isWoken = false;
  let purgedAt = -Infinity;

  function wake(): void {
    isWoken = true;
    pollNow();
  }

  function pollNow(): void {
    polling ??= poll();
  }

  async function poll(): Promise<void> {
    clearTimeout(timer);
    const wasWoken = isWoken;
    isWoken = false;
    await tell();
    await tellChanges();
    await tellNews?.();
    await remind();
    await tellDigest?.();
    await purgeSometimes();
    polling = undefined;
    if (closing.signal.aborted) return;
    if (isWoken) wake();
    else timer = setTimeout(pollNow, wasWoken ? pollSoonMs : pollEveryMs).unref();
  }

  async function purgeSometimes(): Promise<void> {
    if (performance.now() - purgedAt < purgeEvery) return;
    purgedAt = performance.now();
    await record.purge().catch((cause: unknown) => {
      log.warn("deleting old chat records failed", { cause });
    });
  }

  const receiving = receiveEvents({ messenger, handle, log, signal: closing.signal });
  wake();
  return {
    wake,
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      await assistant?.close();
      const limit = new Promise<void>((resolve) => setTimeout(resolve, stopWithinMs).unref());
      await Promise.race([polling, limit]);
      messenger.close();
      await Promise.all([polling, receiving]);
    },
  };
}
