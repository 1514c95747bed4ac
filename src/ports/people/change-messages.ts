/** A message that tells of changes, of which something has become since. */
export interface ChangeMessage {
  messageId: number;
  /** It tells of the record behind the one, up to the other. */
  after: number;
  upTo: number;
  /** By undo id: what became of the changes that it shows, as far as that is known. */
  outcomes: ReadonlyMap<string, string>;
}

/** What chats were told of changes. Errors: `unavailable`. */
export interface ChangeMessages {
  /** How far along the record; a chat that was never told anything begins at `head`. */
  toldUpTo(chatId: string, head: () => Promise<number>): Promise<number>;
  /** The chat was told up to there, with a message that offers to undo these, or with none. */
  told(
    chatId: string,
    upTo: number,
    message?: { messageId: number; after: number; undoIds: readonly string[] },
  ): Promise<void>;
  /** What became of a change, for every chat that shows it; the first word stands. */
  ended(undoId: string, outcome: string): Promise<void>;
  /** Messages that do not show that yet. */
  outdated(chatId: string): Promise<readonly ChangeMessage[]>;
  /** The message shows what became of these. */
  updated(chatId: string, undoIds: readonly string[]): Promise<void>;
}
