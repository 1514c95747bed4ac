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
   * Returns the requests for which this chat needs a message, oldest first. Telegram may decide them, and the client
   * showed no dialog, declined it, or left it unanswered for half a minute. `principal` limits them to one caller.
   */
  due(chatId: string, principal: string | undefined): Promise<readonly Ticket[]>;
  /**
   * Records the actions of a message's buttons before the message is sent. Only hashes of the buttons' data are stored.
   * @param subjectId the id of a request, or of a change that can be undone
   */
  offer(
    subjectId: string,
    chatId: string,
    buttons: readonly { hash: string; action: ChatAction }[],
  ): Promise<void>;
  /** Records the message. `messageId` is undefined if the chat can never receive it. */
  markSent(ticketId: string, chatId: string, messageId: number | undefined): Promise<void>;
  /** Returns messages that show an earlier state of their request. */
  outdated(chatId: string): Promise<readonly RequestMessage[]>;
  /** Records that the message shows this state of its request. */
  updated(ticket: Ticket, chatId: string): Promise<void>;
  /**
   * Stores a person's note for a denial until a button is pressed. Resolves with the request, or undefined if the
   * message belongs to none.
   */
  keepNote(chatId: string, messageId: number, note: string): Promise<string | undefined>;
  noteFor(ticketId: string, chatId: string): Promise<string | undefined>;
  /** Returns the action of a button. Undefined if it was never offered in this chat. */
  button(
    hash: string,
    chatId: string,
  ): Promise<{ subjectId: string; action: ChatAction } | undefined>;
  /** Returns true only the first time, so that an event is processed at most once. */
  isFirst(eventId: number): Promise<boolean>;
  /** Makes the event new again, after processing failed without a visible effect. */
  forget(eventId: number): Promise<void>;
  /** Deletes the records of requests that ended long ago. */
  purge(): Promise<void>;
}
