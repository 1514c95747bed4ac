import type { ChatEvent } from "../../ports/people/messenger.ts";

export interface Chat {
  chatId: string;
  /** The caller whose requests and changes are reported here. Undefined for all callers. */
  principal: string | undefined;
}

/** The people who may decide in chats, and the content of each chat. */
export interface ChatPeople {
  chats: readonly Chat[];
  /**
   * Returns the approver of an event. Undefined for any other person, and outside of the approver's own listed private
   * chat.
   */
  approverOf(event: ChatEvent): string | undefined;
}

/**
 * Maps chats to people. A private chat has the id of its person. A named approver gets their own requests, `operator`
 * gets all.
 */
export function chatPeople(settings: {
  chatIds: readonly string[];
  approvers: readonly { userId: string; name: string }[];
}): ChatPeople {
  const names = new Map(settings.approvers.map(({ userId, name }) => [userId, name]));
  return {
    chats: settings.chatIds.map((chatId) => {
      const name = names.get(chatId);
      return { chatId, principal: name === "operator" ? undefined : name };
    }),
    approverOf: ({ from, chat }) =>
      chat.isPrivate && chat.chatId === from && settings.chatIds.includes(from)
        ? names.get(from)
        : undefined,
  };
}
