import { channelPlaces } from "../../core/approvals/directions.ts";
import { randomId, sha256Hex } from "../../core/shared/digest.ts";
import type { Log } from "../../core/shared/log.ts";
import type { ChangeMessages } from "../../ports/people/change-messages.ts";
import type { ChatRecord } from "../../ports/people/chat-record.ts";
import type { ChatButton, MessengerMessage, Messenger } from "../../ports/people/messenger.ts";
import type { RecentChange, RecentChanges } from "../../ports/files/recent-changes.ts";
import { isChannel } from "../words.ts";
import { changeMessage, undoableOf } from "./change-message.ts";
import { eachChat, unlessRefused } from "./each-chat.ts";
import type { Chat } from "./people.ts";

/** Close changes share a message: how long to wait after the last one, and after the first one. Milliseconds. */
const quietForMs = 2_000;
const gatherForMs = 10_000;
/** Changes that one message counts. */
const readAtMost = 1_000;

const none: ReadonlyMap<string, string> = new Map();

/**
 * Creates the reports of changes without approval, with undo buttons and outcomes. Sent at least once, because a lost
 * report could hide a change.
 */
export function createChangeNews(settings: {
  messenger: Messenger;
  record: ChatRecord;
  changeMessages: ChangeMessages;
  recentChanges: RecentChanges;
  chats: readonly Chat[];
  /** The command as the user types it on the server's machine. */
  command: string;
  log: Log;
}): () => Promise<void> {
  const { messenger, record, changeMessages, recentChanges, chats, command, log } = settings;
  const gathering = new Map<string, { since: number; newest: number; newestAt: number }>();

  /** Returns whether to wait for further changes. */
  function isMoreExpected(chatId: string, newest: number): boolean {
    const now = performance.now();
    const before = gathering.get(chatId);
    const isNew = before?.newest !== newest;
    const { since = now, newestAt = now } = { ...before, ...(isNew && { newestAt: now }) };
    gathering.set(chatId, { since, newest, newestAt });
    return now - newestAt < quietForMs && now - since < gatherForMs;
  }

  async function tell(chat: Chat): Promise<void> {
    const { chatId } = chat;
    const after = await changeMessages.reportedUpTo(chatId, () => recentChanges.head());
    const found = await recentChanges.since(after, readAtMost);
    const upTo = found.at(-1)?.seq;
    if (upTo === undefined || isMoreExpected(chatId, upTo)) return;
    gathering.delete(chatId);
    for (const { undoes, client, sentence } of found) {
      if (undoes === undefined) continue;
      const where = isChannel(client) ? ` ${channelPlaces[client]}` : "";
      await changeMessages.ended(undoes, `Undone${where}: ${sentence}.`);
    }
    await changeMessages.markReported(chatId, upTo, await sent(chat, after, ofChat(found, chat)));
  }

  async function sent({ chatId }: Chat, after: number, changes: readonly RecentChange[]) {
    if (changes.length === 0) return undefined;
    const message = await written(chatId, changes, none);
    const messageId = await unlessRefused(log, () => messenger.send(chatId, message));
    const undoIds = undoableOf(changes, none).map(({ undoId }) => undoId);
    return messageId === undefined ? undefined : { messageId, after, undoIds };
  }

  /** Formats the message with new buttons. Earlier buttons keep working, but their data is not stored. */
  async function written(
    chatId: string,
    changes: readonly RecentChange[],
    outcomes: ReadonlyMap<string, string>,
  ): Promise<MessengerMessage> {
    const buttons: ChatButton[] = [];
    for (const { undoId, label } of undoableOf(changes, outcomes)) {
      const data = randomId("tg");
      await record.offer(undoId, chatId, [{ action: "undo", hash: sha256Hex(data) }]);
      buttons.push({ label, data });
    }
    return changeMessage(changes, { outcomes, buttons, command });
  }

  async function update(chat: Chat): Promise<void> {
    const { chatId } = chat;
    for (const { messageId, after, upTo, outcomes } of await changeMessages.outdated(chatId)) {
      const found = await recentChanges.since(after, readAtMost);
      const changes = ofChat(found, chat).filter(({ seq }) => seq <= upTo);
      if (changes.length > 0) {
        const message = await written(chatId, changes, outcomes);
        await unlessRefused(log, () => messenger.edit(chatId, messageId, message));
      }
      await changeMessages.updated(chatId, [...outcomes.keys()]);
    }
  }

  const tellAndUpdate = async (chat: Chat): Promise<void> => {
    await tell(chat);
    await update(chat);
  };
  return eachChat(chats, tellAndUpdate, {
    log,
    lost: "reporting changes to a chat failed; use another approval channel to undo them",
    found: "reporting changes in Telegram works again",
  });
}

/** Returns the changes for a chat. Undo actions of people are left out. */
function ofChat(changes: readonly RecentChange[], { principal }: Chat): RecentChange[] {
  return changes.filter(
    (change) =>
      change.undoes === undefined && (principal === undefined || change.principal === principal),
  );
}
