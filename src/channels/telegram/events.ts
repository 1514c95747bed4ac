import { denialNote } from "../../core/approvals/denial.ts";
import type { Log } from "../../core/shared/log.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { ChatRecord } from "../../ports/people/chat-record.ts";
import type { ChatEvent, Messenger } from "../../ports/people/messenger.ts";
import { formatOutcome } from "../words.ts";
import { type ButtonSettings, createButtonPress } from "./button-press.ts";
import { type ChatAssistant, createChatCommand } from "./chat-command.ts";
import type { ChatPeople } from "./people.ts";
import { plainText } from "./plain-text.ts";
import type { Pressed } from "./undo-press.ts";

const unread = {
  forwarded:
    "A forwarded message is not read, because it has another author. Nothing was done. Write your question yourself.",
  other: "Only text is read here. Nothing was done. Write your message as text.",
};

/** How often ignored senders are logged. Milliseconds. */
const logIgnoredEveryMs = 60_000;

type Did = NonNullable<ChatEvent["did"]>;

export interface EventSettings extends ButtonSettings {
  messenger: Messenger;
  record: ChatRecord;
  people: ChatPeople;
  /** Undefined if messages are no questions. */
  assistant: ChatAssistant | undefined;
  log: Log;
  clock?: () => Date;
}

/**
 * Creates the handler that processes each event once. Rejects only if a store is unavailable, so that the event is
 * delivered again.
 */
export function createEventHandler(settings: EventSettings): (event: ChatEvent) => Promise<void> {
  const { messenger, record, tickets, people, assistant, log } = settings;
  const clock = settings.clock ?? (() => new Date());
  const press = createButtonPress({ ...settings, clock });
  const command = createChatCommand(settings);
  const ignored = { count: 0, loggedAt: -Infinity };
  /** The album that was answered last in each chat. */
  const albums = new Map<string, string>();

  /** Ignores an event without any answer, so that its sender learns nothing. */
  function ignore({ from, chat }: ChatEvent): void {
    ignored.count += 1;
    const at = clock().getTime();
    if (at - ignored.loggedAt < logIgnoredEveryMs) return;
    log.info("ignored a Telegram event that is not from an approver in a listed private chat", {
      times: ignored.count,
      user: from,
      chat: chat.chatId,
      private: chat.isPrivate,
    });
    ignored.count = 0;
    ignored.loggedAt = at;
  }

  /**
   * Stores a reply as a note. The person decides with a button. Returns undefined for a reply to another message, which
   * is a question for the assistant.
   */
  async function reply(
    chatId: string,
    messageId: number,
    text: string,
  ): Promise<string | undefined> {
    const note = denialNote(text);
    if (note === undefined) return "The message contains no text. No note was stored.";
    const ticketId = await record.keepNote(chatId, messageId, note);
    if (ticketId === undefined && assistant !== undefined) return undefined;
    const ticket = ticketId === undefined ? undefined : await tickets.find(ticketId);
    if (ticket === undefined)
      return "The request of this message no longer exists. Reply to a request's own message to send the assistant a note.";
    return ticket.status === "pending"
      ? "Note stored. The assistant gets it when you press one of the Deny buttons. Nothing was decided."
      : `Already decided, so your note was not sent. ${formatOutcome(ticket)}`;
  }

  /** Returns why a message was not read, once for the several messages of an album. */
  function answerUnread(
    { unread: why, album }: { unread: keyof typeof unread; album?: string },
    chatId: string,
  ): string | undefined {
    if (album !== undefined && albums.get(chatId) === album) return undefined;
    if (album !== undefined) albums.set(chatId, album);
    return unread[why];
  }

  /** Carries out what an approver did. Returns the answer, or undefined if there is none. */
  async function carryOut(
    did: Did,
    by: { chatId: string; approver: string },
  ): Promise<Pressed | undefined> {
    if ("press" in did) return await press({ data: did.press, ...by });
    if ("unread" in did) return answerUnread(did, by.chatId);
    const { text, repliesTo } = did;
    // A command in a reply is still a command.
    return repliesTo === undefined || text.startsWith("/")
      ? await command({ text, ...by })
      : await reply(by.chatId, repliesTo, text);
  }

  async function tell(did: Did, chatId: string, said: Pressed): Promise<void> {
    const isAsking = typeof said !== "string";
    const answer = isAsking ? said.question : said;
    const telling =
      "press" in did
        ? messenger.answer(did.pressId, answer, isAsking)
        : messenger.send(chatId, { ...plainText([answer]), buttons: [] });
    // The decision is valid even if the answer is not delivered, for example when a press is processed late.
    await telling.then(undefined, (cause: unknown) =>
      log.debug("an answer in Telegram was not delivered", { cause }),
    );
  }

  return async (event) => {
    const approver = people.approverOf(event);
    if (approver === undefined) return ignore(event);
    const { did } = event;
    const { chatId } = event.chat;
    if (did === undefined) return;
    const question = { eventId: event.eventId, chatId, approver };
    if (assistant !== undefined && isQuestion(did)) {
      if (await assistant.begin(event.eventId, chatId)) assistant.ask({ ...question, ...did });
      return;
    }
    if (!(await record.isFirst(event.eventId))) return;
    const said = await carryOut(did, { chatId, approver }).catch(async (thrown: unknown) => {
      // The event may be delivered again. If even this fails, the person gets no answer and may press again.
      if (thrown instanceof ToolError && thrown.retryable)
        await record.forget(event.eventId).catch(() => undefined);
      throw thrown;
    });
    if (said !== undefined) await tell(did, chatId, said);
    else if ("text" in did) assistant?.ask({ ...question, text: did.text });
  };
}

/** Returns whether an event is a message that is neither a command nor a reply. */
function isQuestion(did: Did): did is { text: string } {
  return "text" in did && did.repliesTo === undefined && !did.text.startsWith("/");
}
