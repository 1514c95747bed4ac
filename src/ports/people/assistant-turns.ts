/** A question from a chat, whose answer was not completed. */
export interface OpenTurn {
  eventId: number;
  chatId: string;
  at: Date;
}

/** The questions from chats that are being answered, to detect interrupted answers. Errors: `unavailable`. */
export interface AssistantTurns {
  /** Records a question with its event. Returns false if the event was processed before. */
  begin(eventId: number, chatId: string): Promise<boolean>;
  end(eventId: number): Promise<void>;
  /** Returns the questions without a complete answer, the oldest first. */
  open(): Promise<readonly OpenTurn[]>;
}
