import type { Ticket } from "../../core/approvals/ticket.ts";

/** The action of a button in a chat. */
export type ChatAction = "approve" | "deny" | "again" | "similar" | "undo";

/** A request's message in a chat. */
export interface RequestMessage {
  messageId: number;
  ticket: Ticket;
}

/**
 * The messages about requests in chats, their buttons, and the processed events. Uses the clock of the tickets. Errors:
 * `unavailable`.
 */
export interface ChatRecord {
  /**
   * Returns requests that Telegram may decide and that are not in this chat yet: those without a client dialog or
   * declined in it, and those unanswered for half a minute. Oldest first. `principal` limits them to one caller.
   */
  due(chatId: string, principal: string | undefined): Promise<readonly Ticket[]>;
  /** Records the actions of a message's buttons before it is sent. Only hashes of their data are stored. */
  offer(
    subject: string,
    chatId: string,
    buttons: readonly { hash: string; action: ChatAction }[],
  ): Promise<void>;
  /** Records the message. Undefined if the chat can never receive it. */
  told(ticketId: string, chatId: string, messageId: number | undefined): Promise<void>;
  /** Returns messages whose request has changed. */
  outdated(chatId: string): Promise<readonly RequestMessage[]>;
  /** Records that the message shows this state of its request. */
  updated(ticket: Ticket, chatId: string): Promise<void>;
  /**
   * Stores a person's note for a denial until a button is pressed. Resolves with the request, or undefined if the
   * message has none.
   */
  keepNote(chatId: string, messageId: number, note: string): Promise<string | undefined>;
  noteFor(ticketId: string, chatId: string): Promise<string | undefined>;
  /** Returns the action of a button. Undefined if it was never offered in this chat. */
  button(
    hash: string,
    chatId: string,
  ): Promise<{ subject: string; action: ChatAction } | undefined>;
  /** Returns true the first time, so that an event is processed at most once. */
  isFirst(eventId: number): Promise<boolean>;
  /** Makes the event new again, because processing failed without any visible effect. */
  forget(eventId: number): Promise<void>;
  /** Deletes the records of requests that ended long ago. */
  purge(): Promise<void>;
}
