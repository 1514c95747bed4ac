import type { MailState, MailStore } from "../../ports/mail/mail-store.ts";

/** The states of messages that were stored a moment ago. */
export interface MailStates {
  /** Includes a message in the next question. */
  add(emailId: string): void;
  /** Returns how the steps of a message ended. Undefined while they run. */
  outcomeOf(
    emailId: string,
  ): Promise<{ state: Exclude<MailState, "pending">; reason?: string } | undefined>;
}

/** Asks for the states of all added messages in one query. One query for each would compete with the indexer. */
export function createMailStates(store: Pick<MailStore, "states">): MailStates {
  const open = new Set<string>();
  const ended = new Map<string, { state: Exclude<MailState, "pending">; reason?: string }>();
  return {
    add: (emailId) => void open.add(emailId),
    outcomeOf: async (emailId) => {
      if (!ended.has(emailId)) {
        const states = await store.states([...open.add(emailId)]);
        for (const [id, { state, ...more }] of states) {
          if (state === "pending") continue;
          open.delete(id);
          ended.set(id, { state, ...more });
        }
      }
      const outcome = ended.get(emailId);
      ended.delete(emailId);
      return outcome;
    },
  };
}
