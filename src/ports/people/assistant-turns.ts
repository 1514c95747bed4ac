/** A question from a chat whose answer did not end. */
export interface OpenTurn {
  eventId: number;
  chatId: string;
  at: Date;
}

/** The questions from chats that are being answered, so that an interrupted one is noticed. Errors: `unavailable`. */
export interface AssistantTurns {
  /** Records a question with its event. Returns false if the event was processed before. */
  begin(eventId: number, chatId: string): Promise<boolean>;
  end(eventId: number): Promise<void>;
  /** Returns the questions without an end, the oldest first. */
  open(): Promise<readonly OpenTurn[]>;
}
