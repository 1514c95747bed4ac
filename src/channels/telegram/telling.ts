import { randomId, sha256Hex } from "../../core/shared/digest.ts";
import type { Log } from "../../core/shared/log.ts";
import { formatSimilar } from "../../core/policy/rules/allow-similar.ts";
import type { Ticket } from "../../core/approvals/ticket.ts";
import type { ChatAction, ChatRecord } from "../../ports/people/chat-record.ts";
import type { Messenger } from "../../ports/people/messenger.ts";
import { eachChat, unlessRefused } from "./each-chat.ts";
import type { Chat, ChatPeople } from "./people.ts";
import { requestMessage } from "./request-message.ts";

type Decision = Exclude<ChatAction, "undo">;

const labels: Readonly<Record<Decision, string>> = {
  approve: "Approve",
  deny: "Deny",
  again: "Deny, may ask again",
  similar: "Approve, and allow similar",
};

export interface TellingSettings {
  messenger: Messenger;
  record: ChatRecord;
  people: ChatPeople;
  log: Log;
}

/** Creates the function that sends new requests to each chat and updates the outcomes of others. */
export function createTelling({ messenger, record, people, log }: TellingSettings) {
  async function tell({ chatId, principal }: Chat): Promise<void> {
    for (const ticket of await record.due(chatId, principal)) await ask(ticket, chatId);
    for (const { messageId, ticket } of await record.outdated(chatId)) {
      await unlessRefused(log, () => messenger.edit(chatId, messageId, requestMessage(ticket)));
      await record.updated(ticket, chatId);
    }
  }

  async function ask(ticket: Ticket, chatId: string): Promise<void> {
    // A button's data is random and known only in this chat. It is stored before it is shown, so that a press counts
    // even after a crash.
    const rows: Decision[][] = [["approve", "deny"], ["again"]];
    if (formatSimilar(ticket) !== undefined) rows.push(["similar"]);
    const buttons = rows.map((row) => row.map((action) => ({ action, data: randomId("tg") })));
    await record.offer(
      ticket.ticketId,
      chatId,
      buttons.flat().map(({ action, data }) => ({ action, hash: sha256Hex(data) })),
    );
    const message = requestMessage(
      ticket,
      buttons.map((row) => row.map(({ action, data }) => ({ label: labels[action], data }))),
    );
    const messageId = await unlessRefused(log, () => messenger.send(chatId, message));
    await record.markSent(ticket.ticketId, chatId, messageId);
  }

  return eachChat(people.chats, tell, {
    log,
    lost: "sending requests to a chat failed; use another approval channel",
    found: "sending requests to Telegram works again",
  });
}
