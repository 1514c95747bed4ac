import type { Messenger } from "../ports/people/messenger.ts";
import type { ChatSender } from "./chat-sender.ts";
import { type Answer, betweenSteps } from "./conversation.ts";

/** Telegram shows "typing" for five seconds. Milliseconds. */
const typingEveryMs = 4_000;
/**
 * Limit on characters of one answer that are shown, about ten messages, because a model that never ends would fill the
 * chat.
 */
const mostShown = 40_000;

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

/**
 * Answers a question in its chat, and shows "typing" meanwhile. The text so far is sent before the answer waits for a
 * decision.
 * @param settings.formatEnd returns the reason why an answer is not complete
 * @param signals.stop stops the answer
 * @param signals.closing stops it when the program ends, and the rest is not sent
 */
export async function tellAnswer(
  question: { chatId: string; text: string },
  settings: {
    messenger: Pick<Messenger, "typing">;
    sender: ChatSender;
    answerer: () => Promise<Answerer>;
    formatEnd: (answer: Answer) => string | undefined;
  },
  signals: { stop: AbortSignal; closing: AbortSignal },
): Promise<void> {
  const { messenger, sender, answerer, formatEnd } = settings;
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
    await sender.sendAnswer(chatId, said);
  };
  const endTyping = showTyping(messenger, chatId);
  try {
    const given = await (
      await answerer()
    ).ask(text, {
      signal: AbortSignal.any([signals.stop, signals.closing]),
      onText: hear,
      onStep: () => (heard === "" ? undefined : hear(betweenSteps)),
      onWaiting: tell,
    });
    signals.closing.throwIfAborted();
    await tell();
    if (shown > mostShown)
      await sender.say(
        chatId,
        `The answer is longer than ${mostShown} characters. Its end is not shown.`,
      );
    const end = formatEnd(given);
    if (end !== undefined) await sender.say(chatId, end);
  } finally {
    endTyping();
  }
}

/** Shows "typing" in a chat until the returned function is called. It is optional, so its failure is not reported. */
function showTyping(messenger: Pick<Messenger, "typing">, chatId: string): () => void {
  const type = (): void => void messenger.typing(chatId).catch(() => undefined);
  type();
  const typing = setInterval(type, typingEveryMs);
  typing.unref();
  return () => clearInterval(typing);
}
