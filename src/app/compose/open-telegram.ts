import { createChangeMessages } from "../../adapters/libsql/chat/change-messages.ts";
import { createChatRecord } from "../../adapters/libsql/chat/chat-record.ts";
import { createMailNotices } from "../../adapters/libsql/mail/mail-notices.ts";
import { createTelegram } from "../../adapters/telegram/messenger.ts";
import type { Config } from "../../config.ts";
import type { Log } from "../../core/shared/log.ts";
import {
  type TelegramChannel,
  openTelegramChannel,
} from "../../review/telegram/telegram-channel.ts";
import type { Stores } from "./open-stores.ts";
import { ownCommand } from "../platform/own-command.ts";

/** Opens the Telegram approval channel, in the leader. */
export function openTelegram(
  telegram: NonNullable<Config["telegram"]>,
  { notifyNewMail }: Config["ingest"],
  { tickets, audit, rules, recentChanges, undo, database }: Stores,
  log: Log,
): TelegramChannel {
  for (const chatId of telegram.chatIds.filter((id) => id.startsWith("-"))) {
    log.warn("TELEGRAM_CHAT_ID names a group; buttons pressed there are ignored", {
      chat: chatId,
    });
  }
  return openTelegramChannel({
    ...telegram,
    messenger: createTelegram(telegram),
    record: createChatRecord(database),
    told: createChangeMessages(database),
    notices: notifyNewMail ? createMailNotices(database) : undefined,
    tickets,
    audit,
    rules,
    recentChanges,
    undo,
    command: ownCommand(),
    log,
  });
}
