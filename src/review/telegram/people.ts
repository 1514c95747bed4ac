import type { ChatEvent } from "../../ports/people/messenger.ts";

export interface Chat {
  chatId: string;
  /** Whose requests and changes it is told of; undefined: everybody's. */
  principal: string | undefined;
}

/** Whose word counts in chats, and what is told where. */
export interface ChatPeople {
  chats: readonly Chat[];
  /** The approver who did this; undefined for everybody else, and for what was done anywhere but in their own, listed private chat. */
  approverOf(event: ChatEvent): string | undefined;
}

/** A private chat has the id of its person: a named approver is told of their own requests, `operator` of all. */
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
