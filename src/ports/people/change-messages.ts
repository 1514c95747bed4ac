/** A message about changes that does not show all outcomes yet. */
export interface ChangeMessage {
  messageId: number;
  /** The message covers the events after the number `after`, up to and including `upTo`. */
  after: number;
  upTo: number;
  /** The known outcomes of its changes, by undo id. */
  outcomes: ReadonlyMap<string, string>;
}

/** Reports of changes in chats. Errors: `unavailable`. */
export interface ChangeMessages {
  /** Returns the number of the last reported event. A new chat begins at `head`. */
  reportedUpTo(chatId: string, head: () => Promise<number>): Promise<number>;
  /** Records that events up to this one were reported, with the message that offers to undo these changes, if any. */
  markReported(
    chatId: string,
    upTo: number,
    message?: { messageId: number; after: number; undoIds: readonly string[] },
  ): Promise<void>;
  /** Records the outcome of a change for every chat that shows it. The first outcome is final. */
  ended(undoId: string, outcome: string): Promise<void>;
  /** Returns messages that do not show all outcomes yet. */
  outdated(chatId: string): Promise<readonly ChangeMessage[]>;
  /** Records that the message shows these outcomes. */
  updated(chatId: string, undoIds: readonly string[]): Promise<void>;
}
