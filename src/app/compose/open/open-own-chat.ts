import { createMessageLimit } from "../../../adapters/libsql/chat/message-limit.ts";
import type { Database } from "../../../adapters/libsql/driver/database.ts";
import type { Config } from "../../../config.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import type { Messenger } from "../../../ports/people/messenger.ts";
import type { OwnChat } from "../../../ports/people/own-chat.ts";
import { assistantMessage } from "../../../channels/telegram/assistant-message.ts";
import { ownChatsOf } from "../../../channels/telegram/people.ts";

type Telegram = NonNullable<Config["telegram"]>;

/** Messages of one caller's assistant per hour. A person turns off a chat that says more. */
const mostPerHour = 10;

/** Creates the way to callers' own chats. The messenger is loaded with the first message. */
export function openOwnChat(telegram: Telegram, database: Database): OwnChat {
  const takeMessage = createMessageLimit(database);
  let messenger: Promise<Messenger> | undefined;

  return {
    send: async (principal, text) => {
      const chats = requireOwnChats(telegram, principal, "Nothing was sent.");
      if (!(await takeMessage(principal, mostPerHour)))
        throw new ToolError(
          "rate_limited",
          `The user got ${mostPerHour} messages within an hour. Nothing was sent.`,
          { hint: "Say it in your answer instead.", retryAfterSeconds: 600 },
        );
      messenger ??= import("../../../adapters/telegram/messenger.ts").then(({ createTelegram }) =>
        createTelegram(telegram),
      );
      const message = assistantMessage("Message from your assistant, in its own words.", text);
      const bot = await messenger;
      const failures: unknown[] = [];
      for (const chatId of chats)
        await bot.send(chatId, message).catch((cause: unknown) => failures.push(cause));
      // The message counts as sent if one of the caller's chats got it.
      if (failures.length === chats.length) throw failures[0];
    },
  };
}

/**
 * Returns the caller's own chats.
 * @throws ToolError `not_configured`
 */
export function requireOwnChats(telegram: Telegram, principal: string, notDone: string): string[] {
  const chats = ownChatsOf(telegram, principal);
  if (chats.length > 0) return chats;
  throw new ToolError(
    "not_configured",
    `No Telegram chat belongs to the caller ${principal}. ${notDone}`,
    {
      hint: `The user can add ${principal}:USER_ID to TELEGRAM_APPROVER_IDS, and USER_ID to TELEGRAM_CHAT_ID.`,
    },
  );
}
