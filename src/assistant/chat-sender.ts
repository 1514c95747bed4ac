import { ToolError } from "../core/tool/tool-error.ts";
import type { Messenger, MessengerMessage } from "../ports/people/messenger.ts";

/** Limit on attempts for one message. With their pauses they take about two minutes. */
const sendAttempts = 8;
/** The wait after the first failure of the service. It doubles. Milliseconds. */
const firstWaitMs = 1_000;

export interface MessageFormats {
  /** Formats text of the model so that it cannot be mistaken for the program's. */
  formatAnswer: (text: string) => readonly MessengerMessage[];
  /** Formats text of the program. */
  formatNotice: (text: string) => readonly MessengerMessage[];
  /** Marks a message whose first sending may have succeeded. */
  repeated: (message: MessengerMessage) => MessengerMessage;
}

/** Sends messages to a chat until Telegram accepts them. */
export interface ChatSender {
  /** Sends a text of the model. */
  sendAnswer(chatId: string, text: string): Promise<void>;
  /** Sends a text of the program. */
  say(chatId: string, text: string): Promise<void>;
}

/**
 * Creates the sender. It repeats a message if Telegram limits the rate or fails. A message that may have been sent is
 * repeated too, and says so, because two messages are better than none.
 * @param signal ends the waits between attempts
 */
export function createChatSender(
  messenger: Pick<Messenger, "send">,
  { formatAnswer, formatNotice, repeated }: MessageFormats,
  signal: AbortSignal,
): ChatSender {
  async function send(chatId: string, message: MessengerMessage): Promise<void> {
    let mayHaveArrived = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await messenger.send(chatId, mayHaveArrived ? repeated(message) : message);
        return;
      } catch (error) {
        if (!isPassing(error) || attempt === sendAttempts) throw error;
        mayHaveArrived ||= error.sideEffects === "unknown";
        await pause(waitAfter(attempt, error), signal);
        signal.throwIfAborted();
      }
    }
  }

  return {
    sendAnswer: async (chatId, text) => {
      for (const message of formatAnswer(text)) await send(chatId, message);
    },
    say: async (chatId, text) => {
      for (const message of formatNotice(text)) await send(chatId, message);
    },
  };
}

/** Returns whether a message may be sent later. */
export function isPassing(error: unknown): error is ToolError {
  return (
    error instanceof ToolError && (error.kind === "rate_limited" || error.kind === "unavailable")
  );
}

/** Returns the wait after a failed attempt: what the service asks for, or else twice the wait before. Milliseconds. */
function waitAfter(attempt: number, { retryAfterSeconds }: ToolError): number {
  return retryAfterSeconds === undefined
    ? firstWaitMs * 2 ** (attempt - 1)
    : retryAfterSeconds * 1_000;
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
