import type { Log } from "../core/shared/log.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { AssistantTurns, OpenTurn } from "../ports/people/assistant-turns.ts";
import type { Messenger } from "../ports/people/messenger.ts";
import { type MessageFormats, createChatSender, isPassing } from "./chat-sender.ts";
import type { Answer } from "./conversation.ts";
import { type Answerer, tellAnswer } from "./tell-answer.ts";

/** Limit on questions that wait in one chat. */
const mostWaiting = 3;
export interface Question {
  eventId: number;
  chatId: string;
  approver: string;
  text: string;
}

export interface ChatDesk {
  /** Records a question. Returns false if its event was processed before. */
  begin(eventId: number, chatId: string): Promise<boolean>;
  /** Answers a question that `begin` recorded, after earlier ones of the same chat. Returns immediately. */
  ask(question: Question): void;
  /** Stops the answer and drops waiting questions. Returns whether there were any. */
  stop(chatId: string): boolean;
  forget(chat: { chatId: string; approver: string }): Promise<void>;
  close(): Promise<void>;
}

interface Chat {
  waiting: Question[];
  isWorking: boolean;
  /** Stops the answer that is being written. */
  stop: AbortController | undefined;
  isFullSaid: boolean;
}

/**
 * Creates the part that answers questions from chats. Each chat has its own queue, so a full queue does not delay other
 * chats. Questions that an earlier process did not finish are reported first.
 */
export function createChatDesk(
  settings: MessageFormats & {
    messenger: Messenger;
    turns: AssistantTurns;
    answererOf: (chat: { chatId: string; approver: string }) => Promise<Answerer>;
    /** Formats the reason why an answer is not complete. */
    formatEnd: (answer: Answer) => string | undefined;
    formatMoment: (at: Date) => string;
    log: Log;
  },
): ChatDesk {
  const { messenger, turns, answererOf, formatEnd, formatMoment, log } = settings;
  const chats = new Map<string, Chat>();
  const closing = new AbortController();
  const sender = createChatSender(messenger, settings, closing.signal);
  const working = new Set<Promise<void>>();

  function follow(work: Promise<void>): void {
    const followed = work
      .catch((cause: unknown) => {
        if (!closing.signal.aborted) log.warn("answering in Telegram failed", { cause });
      })
      .finally(() => working.delete(followed));
    working.add(followed);
  }

  function chatOf(chatId: string): Chat {
    const known = chats.get(chatId);
    if (known !== undefined) return known;
    const chat: Chat = { waiting: [], isWorking: false, stop: undefined, isFullSaid: false };
    chats.set(chatId, chat);
    return chat;
  }

  async function work(chat: Chat): Promise<void> {
    for (;;) {
      const question = chat.waiting.shift();
      chat.isWorking = question !== undefined;
      if (question === undefined || closing.signal.aborted) return;
      chat.isFullSaid = false;
      const stop = new AbortController();
      chat.stop = stop;
      try {
        const answerer = (): Promise<Answerer> => answererOf(question);
        const signals = { stop: stop.signal, closing: closing.signal };
        await tellAnswer(question, { messenger, sender, answerer, formatEnd }, signals);
      } catch (cause) {
        // The question stays open, and the next leader reports it.
        if (closing.signal.aborted) return;
        log.warn("answering in Telegram failed", { chat: question.chatId, cause });
        const reason = cause instanceof ToolError ? `${cause.message} ` : "";
        const failed = `${reason}Your message was not answered.`;
        const isUnsaid = await sender.say(question.chatId, failed).then(() => false, isPassing);
        // The next start reports a question whose chat could not be reached.
        if (isUnsaid) continue;
      } finally {
        chat.stop = undefined;
      }
      if (closing.signal.aborted) return;
      await turns.end(question.eventId).catch((cause: unknown) => {
        log.warn("recording the end of an answer in Telegram failed", { cause });
      });
    }
  }

  /** Reports one chat's questions that an earlier process did not finish, in one message. */
  async function reportInterrupted(interrupted: readonly OpenTurn[]): Promise<void> {
    const [first] = interrupted;
    if (first === undefined) return;
    const { chatId } = first;
    const when = formatMoment(first.at);
    // The answer may have been sent, if only its end was not recorded.
    const open =
      interrupted.length === 1
        ? `while your message of ${when} was open. Its answer may be missing or not complete.`
        : `while ${interrupted.length} messages of yours were open, the first of ${when}. Their answers may be missing or not complete.`;
    try {
      await sender.say(
        chatId,
        `The program stopped ${open} Calls that ran before are not undone. Send your message again if you still need an answer.`,
      );
    } catch (cause) {
      if (closing.signal.aborted || isPassing(cause)) throw cause;
      log.warn("reporting an interrupted answer in Telegram failed", { chat: chatId, cause });
    }
    for (const { eventId } of interrupted) await turns.end(eventId);
  }

  /** The questions that were open at the start. Each chat is notified separately, because one may be unreachable. */
  const open = turns.open();
  follow(
    open.then((found) => {
      for (const chatId of new Set(found.map((turn) => turn.chatId)))
        follow(reportInterrupted(found.filter((turn) => turn.chatId === chatId)));
    }),
  );
  return {
    begin: async (eventId, chatId) => {
      // New questions are recorded only after that. Otherwise they would be reported as interrupted.
      await open.catch(() => undefined);
      return await turns.begin(eventId, chatId);
    },
    ask: (question) => {
      const chat = chatOf(question.chatId);
      if (chat.waiting.length >= mostWaiting) {
        follow(turns.end(question.eventId));
        if (chat.isFullSaid) return;
        chat.isFullSaid = true;
        const full = `${mostWaiting} messages of yours are waiting already. This one was not read. /stop drops them.`;
        follow(sender.say(question.chatId, full));
        return;
      }
      chat.waiting.push(question);
      if (!chat.isWorking) follow(work(chat));
    },
    stop: (chatId) => {
      const chat = chatOf(chatId);
      const isAnswering = chat.stop !== undefined && !chat.stop.signal.aborted;
      const isBusy = isAnswering || chat.waiting.length > 0;
      for (const { eventId } of chat.waiting.splice(0)) follow(turns.end(eventId));
      chat.stop?.abort();
      return isBusy;
    },
    forget: async (chat) => await (await answererOf(chat)).forget(),
    close: async () => {
      closing.abort();
      await Promise.all(working);
    },
  };
}
