import type { Ticket } from "../../core/approvals/ticket.ts";

/** What a button in a chat does. */
export type ChatAction = "approve" | "deny" | "again" | "similar" | "undo";

/** A request's message in a chat. */
export interface RequestMessage {
  messageId: number;
  ticket: Ticket;
}

/** What was said in chats about requests, what all their buttons do, and which events were dealt with. By the clock of the tickets. Errors: `unavailable`. */
export interface ChatRecord {
  /**
   * Requests that Telegram may decide and this chat has not been told of and is to be: those that are put to nobody in the
   * asking program or were declined there, and those that went unanswered for half a minute. Oldest first; of one principal
   * where it is named.
   */
  due(chatId: string, principal: string | undefined): Promise<readonly Ticket[]>;
  /** Before a message is sent: what its buttons will do, with a request or a change. Only the hashes of their data are kept. */
  offer(
    subject: string,
    chatId: string,
    buttons: readonly { hash: string; action: ChatAction }[],
  ): Promise<void>;
  /** The message is there; undefined where the chat will never take it. */
  told(ticketId: string, chatId: string, messageId: number | undefined): Promise<void>;
  /** Messages whose request has gone on since. */
  outdated(chatId: string): Promise<readonly RequestMessage[]>;
  /** The message shows its request as this ticket has it. */
  updated(ticket: Ticket, chatId: string): Promise<void>;
  /** Keeps what a person says with a denial, until it is pressed. Resolves with the request; undefined if the message is of none. */
  keepNote(chatId: string, messageId: number, note: string): Promise<string | undefined>;
  noteFor(ticketId: string, chatId: string): Promise<string | undefined>;
  /** What a button does; undefined for one that was never offered in this chat. */
  button(
    hash: string,
    chatId: string,
  ): Promise<{ subject: string; action: ChatAction } | undefined>;
  /** True the first time: an event is dealt with at most once. */
  isFirst(eventId: number): Promise<boolean>;
  /** It could not be dealt with after all, and nobody was told anything: the next time is the first. */
  forget(eventId: number): Promise<void>;
  /** Removes what is about requests that are long gone. */
  purge(): Promise<void>;
}
