import { randomId, sha256Hex } from "../../core/shared/digest.ts";
import type { Log } from "../../core/shared/log.ts";
import type { ChangeMessages } from "../../ports/people/change-messages.ts";
import type { ChatRecord } from "../../ports/people/chat-record.ts";
import type { ChatButton, ChatMessage, Messenger } from "../../ports/people/messenger.ts";
import type { RecentChange, RecentChanges } from "../../ports/files/recent-changes.ts";
import { isChannel, formatChannel } from "../words.ts";
import { changeMessage, undoableOf } from "./change-message.ts";
import { eachChat, unlessRefused } from "./each-chat.ts";
import type { Chat } from "./people.ts";

/** Changes that follow each other closely are told of in one message: so long after the last, so long after the first. Milliseconds. */
const quietFor = 2_000;
const gatherFor = 10_000;
/** Changes that one message counts at most. */
const readAtMost = 1_000;

const none: ReadonlyMap<string, string> = new Map();

/**
 * Tells the chats of what was done without asking them, with a button that undoes it, and what became of that. At least once:
 * a notice that is lost is a change that nobody can take back.
 */
export function createChangeNews(settings: {
  messenger: Messenger;
  record: ChatRecord;
  told: ChangeMessages;
  recentChanges: RecentChanges;
  chats: readonly Chat[];
  /** This program as a person types it on its machine. */
  command: string;
  log: Log;
}): () => Promise<void> {
  const { messenger, record, told, recentChanges, chats, command, log } = settings;
  const gathering = new Map<string, { since: number; newest: number; newestAt: number }>();

  /** While more comes in it is waited for. */
  function isMoreExpected(chatId: string, newest: number): boolean {
    const now = performance.now();
    const before = gathering.get(chatId);
    const isNew = before?.newest !== newest;
    const { since = now, newestAt = now } = { ...before, ...(isNew && { newestAt: now }) };
    gathering.set(chatId, { since, newest, newestAt });
    return now - newestAt < quietFor && now - since < gatherFor;
  }

  async function tell(chat: Chat): Promise<void> {
    const { chatId } = chat;
    const after = await told.toldUpTo(chatId, () => recentChanges.head());
    const found = await recentChanges.since(after, readAtMost);
    const upTo = found.at(-1)?.seq;
    if (upTo === undefined || isMoreExpected(chatId, upTo)) return;
    gathering.delete(chatId);
    for (const { undoes, client, sentence } of found) {
      if (undoes === undefined) continue;
      const where = isChannel(client) ? ` ${formatChannel(client)}` : "";
      await told.ended(undoes, `Undone${where}: ${sentence}.`);
    }
    await told.told(chatId, upTo, await sent(chat, after, ofChat(found, chat)));
  }

  async function sent({ chatId }: Chat, after: number, changes: readonly RecentChange[]) {
    if (changes.length === 0) return undefined;
    const message = await written(chatId, changes, none);
    const messageId = await unlessRefused(log, () => messenger.send(chatId, message));
    const undoIds = undoableOf(changes, none).map(({ undoId }) => undoId);
    return messageId === undefined ? undefined : { messageId, after, undoIds };
  }

  /** With buttons of its own: what those of before send is not known any more, and they go on working. */
  async function written(
    chatId: string,
    changes: readonly RecentChange[],
    outcomes: ReadonlyMap<string, string>,
  ): Promise<ChatMessage> {
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
    for (const { messageId, after, upTo, outcomes } of await told.outdated(chatId)) {
      const found = await recentChanges.since(after, readAtMost);
      const changes = ofChat(found, chat).filter(({ seq }) => seq <= upTo);
      if (changes.length > 0) {
        const message = await written(chatId, changes, outcomes);
        await unlessRefused(log, () => messenger.edit(chatId, messageId, message));
      }
      await told.updated(chatId, [...outcomes.keys()]);
    }
  }

  const tellAndUpdate = async (chat: Chat): Promise<void> => {
    await tell(chat);
    await update(chat);
  };
  return eachChat(chats, tellAndUpdate, {
    log,
    lost: "a chat could not be told of changes, they can be undone at the other approval channels",
    found: "changes are told of in Telegram again",
  });
}

/** Those of its person; what people undid themselves is no news. */
function ofChat(changes: readonly RecentChange[], { principal }: Chat): RecentChange[] {
  return changes.filter(
    (change) =>
      change.undoes === undefined && (principal === undefined || change.principal === principal),
  );
}
