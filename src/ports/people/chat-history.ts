import type { ChatMessage } from "./chat-model.ts";

/** One stored conversation. */
export interface ChatSession {
  name: string;
  exchanges: number;
  tokens: number;
  lastAt: Date;
}

/** The conversations with the assistant. An exchange is a question with all calls and texts of its answer. */
export interface ChatHistory {
  /** Returns the messages of a session, the oldest first. Empty for an unknown session. */
  messages(session: string): Promise<readonly ChatMessage[]>;
  /**
   * Stores one exchange. Deletes the oldest exchanges of the session until the rest has at most `maxTokens`, but never
   * the new one.
   * @param tokens of this exchange
   */
  add(
    session: string,
    exchange: { messages: readonly ChatMessage[]; tokens: number },
    maxTokens: number,
  ): Promise<void>;
  /** Deletes a session. Returns the number of deleted exchanges. */
  remove(session: string): Promise<number>;
  /** Deletes exchanges of all sessions that have exceeded the store's retention time. */
  expire(): Promise<void>;
  list(): Promise<readonly ChatSession[]>;
}
