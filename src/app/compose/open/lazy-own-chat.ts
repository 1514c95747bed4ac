import type { Config } from "../../../config.ts";
import { machineZone } from "../../../core/shared/time-zone.ts";
import type { OwnChat } from "../../../ports/people/own-chat.ts";
import type { Reminders } from "../../../ports/people/reminders.ts";
import type { Database } from "../../../adapters/libsql/driver/database.ts";

/**
 * Opens callers' own chats and reminders. Both are loaded with the first use, because most servers have no Telegram.
 */
export function lazyOwnChat(
  telegram: NonNullable<Config["telegram"]>,
  database: Database,
): { ownChat: OwnChat; reminders: Reminders } {
  let chat: Promise<OwnChat> | undefined;
  let opening: Promise<Reminders> | undefined;
  const ownChat = (): Promise<OwnChat> =>
    (chat ??= import("./open-own-chat.ts").then(({ openOwnChat }) =>
      openOwnChat(telegram, database),
    ));
  const reminders = (): Promise<Reminders> =>
    (opening ??= import("./open-reminders.ts").then(({ openReminders }) =>
      openReminders(telegram, database),
    ));
  return {
    ownChat: { send: async (...args) => await (await ownChat()).send(...args) },
    reminders: {
      timeZone: machineZone(),
      add: async (...args) => await (await reminders()).add(...args),
      list: async (...args) => await (await reminders()).list(...args),
      find: async (...args) => await (await reminders()).find(...args),
      cancel: async (...args) => await (await reminders()).cancel(...args),
    },
  };
}
