import type { Log } from "../core/shared/log.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { AssistantTurns, OpenTurn } from "../ports/people/assistant-turns.ts";
import type { MessengerMessage, Messenger } from "../ports/people/messenger.ts";
import { type Answer, betweenSteps } from "./conversation.ts";

/** Limit on questions that wait in one chat. */
const mostWaiting = 3;
/** Telegram shows "typing" for five seconds. Milliseconds. */
const typingEveryMs = 4_000;
/**
 * Limit on characters of one answer that are shown, about ten messages, because a model that never ends would fill the
 * chat.
 */
const mostShown = 40_000;
/** Limit on attempts for one message. With their pauses they take about two minutes. */
const sendAttempts = 8;
/** The wait after the first failure of the service. It doubles. Milliseconds. */
const firstWaitMs = 1_000;

export interface Question {
  eventId: number;
  chatId: string;
  approver: string;
  text: string;
}

/** Answers one person's questions. */
export interface Answerer {
  /**
   * Streams the answer to `onText`.
   * @param options.onWaiting is called before the answer waits for a decision
   */
  ask(
    text: string,
    options: {
      signal: AbortSignal;
      onText: (text: string) => void;
      onStep: () => void;
      onWaiting: () => Promise<void>;
    },
  ): Promise<Answer>;
  /** Deletes the conversation. */
  forget(): Promise<void>;
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
export function createChatDesk(settings: {
  messenger: Messenger;
  turns: AssistantTurns;
  answererOf: (chat: { chatId: string; approver: string }) => Promise<Answerer>;
  /** Formats text of the model so that it cannot be mistaken for the program's. */
  formatAnswer: (text: string) => readonly MessengerMessage[];
  /** Formats text of the program. */
  formatNotice: (text: string) => readonly MessengerMessage[];
  /** Marks a message whose first sending may have succeeded. */
  repeated: (message: MessengerMessage) => MessengerMessage;
  /** Formats the reason why an answer is not complete. */
  formatEnd: (answer: Answer) => string | undefined;
  formatMoment: (at: Date) => string;
  log: Log;
}): ChatDesk {
  const { messenger, turns, answererOf, formatEnd, formatMoment, log } = settings;
  const chats = new Map<string, Chat>();
  const closing = new AbortController();
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

  /** Sends a text of the program. */
  async function say(chatId: string, text: string): Promise<void> {
    for (const message of settings.formatNotice(text)) await send(chatId, message);
  }

  /**
   * Sends a message, and repeats it if Telegram limits the rate or fails. A message that may have been sent is repeated
   * too, and says so, because two messages are better than none. Only the queue of this chat waits.
   */
  async function send(chatId: string, message: MessengerMessage): Promise<void> {
    let mayHaveArrived = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await messenger.send(chatId, mayHaveArrived ? settings.repeated(message) : message);
        return;
      } catch (error) {
        if (!isPassing(error) || attempt === sendAttempts) throw error;
        mayHaveArrived ||= error.sideEffects === "unknown";
        const waitMs =
          error.retryAfterSeconds === undefined
            ? firstWaitMs * 2 ** (attempt - 1)
            : error.retryAfterSeconds * 1_000;
        await pause(waitMs, closing.signal);
        closing.signal.throwIfAborted();
      }
    }
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
        await answer(question, AbortSignal.any([stop.signal, closing.signal]));
      } catch (cause) {
        // The question stays open, and the next leader reports it.
        if (closing.signal.aborted) return;
        log.warn("answering in Telegram failed", { chat: question.chatId, cause });
        const reason = cause instanceof ToolError ? `${cause.message} ` : "";
        const failed = `${reason}Your message was not answered.`;
        const isUnsaid = await say(question.chatId, failed).then(() => false, isPassing);
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

  async function answer(question: Question, signal: AbortSignal): Promise<void> {
    const { chatId, text } = question;
    let heard = "";
    let shown = 0;
    const hear = (piece: string): void => {
      heard += piece.slice(0, Math.max(0, mostShown - shown));
      shown += piece.length;
    };
    const tell = async (): Promise<void> => {
      const said = heard;
      heard = "";
      for (const message of settings.formatAnswer(said)) await send(chatId, message);
    };
    // "Typing" is optional, so its failure is not reported.
    const type = (): void => void messenger.typing(chatId).catch(() => undefined);
    type();
    const typing = setInterval(type, typingEveryMs);
    typing.unref();
    try {
      const answerer = await answererOf(question);
      const given = await answerer.ask(text, {
        signal,
        onText: hear,
        onStep: () => (heard === "" ? undefined : hear(betweenSteps)),
        onWaiting: tell,
      });
      closing.signal.throwIfAborted();
      await tell();
      if (shown > mostShown)
        await say(
          chatId,
          `The answer is longer than ${mostShown} characters. Its end is not shown.`,
        );
      const end = formatEnd(given);
      if (end !== undefined) await say(chatId, end);
    } finally {
      clearInterval(typing);
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
      await say(
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
        follow(say(question.chatId, full));
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

/** Returns whether a message may be sent later. */
function isPassing(error: unknown): error is ToolError {
  return (
    error instanceof ToolError && (error.kind === "rate_limited" || error.kind === "unavailable")
  );
}

/** Resolves after a time, or when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    timer.unref();
    signal.addEventListener("abort", end, { once: true });
  });
}
