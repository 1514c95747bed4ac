/** One message as a chat shows it: plain text, of which nothing becomes a link, and buttons below. */
export interface ChatMessage {
  text: string;
  /** The parts that come from outside, in UTF-16 units: a chat shows them as they are and links nothing in them. */
  quoted: readonly { offset: number; length: number }[];
  /** Rows of buttons; none takes away what was there. */
  buttons: readonly (readonly ChatButton[])[];
}

export interface ChatButton {
  label: string;
  /** What comes back when it is pressed: at most 64 bytes. */
  data: string;
}

/** Something that a person did in a chat, as the messenger saw it. */
export interface ChatEvent {
  /** Grows from event to event; the same event has the same number each time it is delivered. */
  eventId: number;
  /** The person's id at the messenger, which nobody else can have. */
  from: string;
  chat: { chatId: string; isPrivate: boolean };
  /** `repliesTo`: the id of the message that the text answers. */
  did: { press: string; pressId: string } | { text: string; repliesTo?: number } | undefined;
}

/**
 * A chat service. Errors: `rate_limited` with when, `unavailable` (`sideEffects: "unknown"` where it may have been sent),
 * `conflict` where another program receives its events, `auth`, `not_configured` for a chat it cannot write to, `invalid_input`.
 */
export interface Messenger {
  /** Resolves with the message's id in its chat. */
  send(chatId: string, message: ChatMessage): Promise<number>;
  /** Replaces a message; one that is gone is left alone. */
  edit(chatId: string, messageId: number, message: ChatMessage): Promise<void>;
  /** Tells the person who pressed a button what came of it. Only a short time after it. */
  answer(pressId: string, text: string): Promise<void>;
  /** The events after this one, at least one or as soon as half a minute is over. Those before it are not delivered again. */
  receive(after: number | undefined): Promise<readonly ChatEvent[]>;
  /** Whether it would work with these chats. */
  check(chatIds: readonly string[]): Promise<void>;
  /** Ends what is under way; it rejects with `cancelled`. */
  close(): void;
}
