import { createAssistantTurns } from "../../../adapters/libsql/chat/assistant-turns.ts";
import { type ChatDesk, createChatDesk } from "../../../assistant/chat-desk.ts";
import type { Answerer } from "../../../assistant/tell-answer.ts";
import type { Config } from "../../../config.ts";
import type { Log } from "../../../core/shared/log.ts";
import type { Messenger } from "../../../ports/people/messenger.ts";
import {
  answerMessages,
  noticeMessages,
  repeatedMessage,
} from "../../../channels/telegram/answer-text.ts";
import { callerOf } from "../../../channels/telegram/people.ts";
import { formatMoment } from "../../../channels/words.ts";
import { openAssistant } from "../../chat/open-assistant.ts";
import { formatEnd } from "../../chat/printer.ts";
import { type DirectCalls, openDirectCalls } from "../direct-calls.ts";
import type { Stores } from "./open-stores.ts";

/**
 * Opens the assistant in Telegram, in the leader. The call pipeline and the model are loaded with the first question.
 * @param wake sends a new approval request to its chat
 */
export function openChatDesk(
  config: Config,
  { database }: Stores,
  { messenger, wake, log }: { messenger: Messenger; wake: () => void; log: Log },
): ChatDesk {
  const answerers = new Map<string, Answerer>();
  let opening: Promise<DirectCalls> | undefined;

  function answererFrom(calls: DirectCalls, chatId: string): Answerer {
    const session = `telegram-${chatId}`;
    let beforeWaiting = async (): Promise<void> => undefined;
    const opened = openAssistant(config, calls, {
      // Calls without approval are reported by the channel's own messages about changes.
      printer: { called: () => undefined, ended: () => undefined, asked: () => undefined },
      decideHere: async ({ ticketId, expiresAt }, signal) => {
        await beforeWaiting();
        wake();
        const { watch } = calls.runtime.broker;
        watch.add(ticketId);
        await watch.waitForEnd(ticketId, Math.max(0, expiresAt.getTime() - Date.now()), signal);
        return !signal.aborted;
      },
    });
    return {
      ask: async (text, { signal, onText, onStep, onWaiting }) => {
        beforeWaiting = onWaiting;
        opened.newTurn();
        return await opened.assistant.ask(session, text, { signal, onText, onStep });
      },
      forget: async () => void (await opened.assistant.forget(session)),
    };
  }

  /**
   * Opens the call pipeline with the first question. This process is the leader already. A failed attempt is repeated
   * with the next one.
   */
  function opened(): Promise<DirectCalls> {
    opening ??= openDirectCalls(config, log, "assistant in Telegram");
    opening.catch(() => (opening = undefined));
    return opening;
  }

  const desk = createChatDesk({
    messenger,
    turns: createAssistantTurns(database),
    answererOf: async ({ chatId, approver }) => {
      const calls = await opened();
      const known = answerers.get(chatId);
      if (known !== undefined) return known;
      const answerer = answererFrom(calls.as(callerOf(approver)), chatId);
      answerers.set(chatId, answerer);
      return answerer;
    },
    formatAnswer: answerMessages,
    formatNotice: noticeMessages,
    repeated: repeatedMessage,
    formatEnd,
    formatMoment,
    log,
  });
  return {
    ...desk,
    close: async () => {
      await desk.close();
      const calls = await opening?.catch(() => undefined);
      await calls?.close();
    },
  };
}
