/** One message in a chat: plain text without links, and buttons below. */
export interface MessengerMessage {
  text: string;
  /** The parts of `text` that are untrusted, in UTF-16 units. The chat shows them unchanged and without links. */
  quoted: readonly { offset: number; length: number }[];
  /** The part of `text` that the program did not write, in UTF-16 units. The chat shows it as a quotation. */
  quotation?: { offset: number; length: number };
  /** Rows of buttons. An empty list removes earlier buttons. */
  buttons: readonly (readonly ChatButton[])[];
}

export interface ChatButton {
  label: string;
  /** The data that a press returns, at most 64 bytes. */
  data: string;
}

/** A person's action in a chat, as the messenger reports it. */
export interface ChatEvent {
  /** Increases with each event. A repeated delivery has the same number. */
  eventId: number;
  /** The person's unforgeable id at the messenger. */
  from: string;
  chat: { chatId: string; isPrivate: boolean };
  /**
   * `repliesTo`: the id of the message that the text answers. `unread`: a message that is forwarded or contains no
   * text. `album`: the common id of messages that were sent together.
   */
  did:
    | { press: string; pressId: string }
    | { text: string; repliesTo?: number }
    | { unread: "forwarded" | "other"; album?: string }
    | undefined;
}

/**
 * A chat service. Errors: `rate_limited` with a time, `unavailable` (`sideEffects: "unknown"` if it may have been
 * sent), `conflict` if another program receives its events, `auth`, `not_configured` for a chat it cannot write to,
 * `invalid_input`.
 */
export interface Messenger {
  /** Resolves with the message's id in its chat. */
  send(chatId: string, message: MessengerMessage): Promise<number>;
  /** Replaces a message. Does nothing if it was deleted. */
  edit(chatId: string, messageId: number, message: MessengerMessage): Promise<void>;
  /** Shows for some seconds that an answer is being written. */
  typing(chatId: string): Promise<void>;
  /**
   * Shows the result of a press to the person. Works only for a short time after it.
   * @param mustBeClosed true for a question that the person closes before the next press
   */
  answer(pressId: string, text: string, mustBeClosed?: boolean): Promise<void>;
  /** Returns the events after this one, within half a minute. Earlier events are not delivered again. */
  receive(after: number | undefined): Promise<readonly ChatEvent[]>;
  /** Tests whether these chats can be used. */
  check(chatIds: readonly string[]): Promise<void>;
  /** Aborts running requests, which reject with `cancelled`. */
  close(): void;
}
