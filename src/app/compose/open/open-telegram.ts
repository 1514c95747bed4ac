import { createChangeMessages } from "../../../adapters/libsql/chat/change-messages.ts";
import { createChatRecord } from "../../../adapters/libsql/chat/chat-record.ts";
import { createMailNotices } from "../../../adapters/libsql/mail/mail-notices.ts";
import { createTelegram } from "../../../adapters/telegram/messenger.ts";
import type { Config } from "../../../config.ts";
import type { Log } from "../../../core/shared/log.ts";
import {
  type TelegramChannel,
  openTelegramChannel,
} from "../../../channels/telegram/telegram-channel.ts";
import { digestSettings } from "../digest-settings.ts";
import { openChatDesk } from "./open-chat-desk.ts";
import { openDueReminders } from "./open-reminders.ts";
import type { Stores } from "./open-stores.ts";
import { ownCommand } from "../../platform/own-command.ts";

/** Opens the Telegram approval channel, in the leader. */
export function openTelegram(
  telegram: NonNullable<Config["telegram"]>,
  config: Config,
  stores: Stores,
  log: Log,
): TelegramChannel {
  const { tickets, audit, rules, recentChanges, undo, database } = stores;
  const messenger = createTelegram(telegram);
  const { digestAt } = telegram;
  const notices = createMailNotices(database);
  for (const chatId of telegram.chatIds.filter((id) => id.startsWith("-"))) {
    log.warn("TELEGRAM_CHAT_ID names a group; buttons pressed there are ignored", {
      chat: chatId,
    });
  }
  return openTelegramChannel({
    ...telegram,
    messenger,
    record: createChatRecord(database),
    changeMessages: createChangeMessages(database),
    reminders: openDueReminders(database),
    digest: digestAt === undefined ? undefined : digestSettings(digestAt, stores, notices),
    openAssistant:
      config.assistant?.isInTelegram === true
        ? (wake) => openChatDesk(config, stores, { messenger, wake, log })
        : undefined,
    notices: config.ingest.notifyNewMail ? notices : undefined,
    tickets,
    audit,
    rules,
    recentChanges,
    undo,
    command: ownCommand(),
    log,
  });
}
