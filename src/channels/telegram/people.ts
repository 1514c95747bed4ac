import type { ChatEvent } from "../../ports/people/messenger.ts";

export interface Chat {
  chatId: string;
  /** The caller whose requests and changes are reported here. Undefined for all callers. */
  principal: string | undefined;
}

export interface ChatSettings {
  chatIds: readonly string[];
  approvers: readonly { userId: string; name: string }[];
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
 * Returns a caller's own private chats. The operator uses the programs of this machine, whose caller is `local`. The
 * list is empty for a caller whose name is not an approver's.
 */
export function ownChatsOf({ chatIds, approvers }: ChatSettings, principal: string): string[] {
  const name = principal === "local" ? "operator" : principal;
  return approvers
    .filter((approver) => approver.name === name && chatIds.includes(approver.userId))
    .map(({ userId }) => userId);
}

/** Returns the caller that an approver is, the reverse of `ownChatsOf`. */
export function callerOf(approver: string): string {
  return approver === "operator" ? "local" : approver;
}

/**
 * Maps chats to people. A private chat has the id of its person. A named approver gets their own requests, `operator`
 * gets all.
 */
export function chatPeople(settings: ChatSettings): ChatPeople {
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
