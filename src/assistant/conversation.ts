import type { ChatHistory } from "../ports/people/chat-history.ts";
import type { ChatCall, ChatMessage, ChatModel, ChatTool } from "../ports/people/chat-model.ts";
import { likelyTokens } from "../core/shared/tokens.ts";
import { ToolError } from "../core/tool/tool-error.ts";

/**
 * Tokens of a stored conversation. With the tools and one long result it fits into the 32 000 tokens of small local
 * models.
 */
const maxHistoryTokens = 16_000;
/** Characters of one tool result in the history. A longer result is requested again when it is needed. */
const maxStoredResult = 6_000;

/** The answer of a tool, for the model. */
export interface ToolAnswer {
  text: string;
  isError: boolean;
}

export interface AssistantSettings {
  model: ChatModel;
  history: ChatHistory;
  maxSteps: number;
  /** Returns the system prompt for one question. */
  system: () => string;
  tools: readonly ChatTool[];
  /** Makes one call, also of an unknown tool and with invalid arguments. */
  call(call: ChatCall, signal: AbortSignal): Promise<ToolAnswer>;
}

/**
 * How an answer ended. `steps`: the model requested calls in its last step. `long`, `refused`, `cut` and `failed` are
 * the model's or its service's.
 */
export type AnswerEnd = "complete" | "stopped" | "steps" | "long" | "refused" | "cut" | "failed";

export interface Answer {
  text: string;
  end: AnswerEnd;
  steps: number;
  /** Set if `end` is `failed`. */
  error?: ToolError;
}

/** Answers one question at a time in a stored conversation. */
export interface Assistant {
  /** Streams the answer to `onText` and stores the exchange, also an interrupted one. */
  ask(
    session: string,
    question: string,
    options: { signal: AbortSignal; onText: (text: string) => void },
  ): Promise<Answer>;
}

export function createAssistant(settings: AssistantSettings): Assistant {
  const { model, history, maxSteps, tools } = settings;

  return {
    ask: async (session, question, { signal, onText }) => {
      const before = await history.messages(session);
      const exchange: ChatMessage[] = [{ role: "user", text: question }];
      const system = settings.system();
      let said = "";
      let heard = "";
      const hear = (text: string): void => {
        heard += text;
        onText(text);
      };

      async function answer(): Promise<Omit<Answer, "text">> {
        for (let steps = 1; ; steps += 1) {
          heard = "";
          const messages = [...before, ...exchange];
          const step = await model.step({ system, messages, tools }, { signal, onText: hear });
          said += step.text;
          if (step.end !== "complete" || step.calls.length === 0) {
            exchange.push({ role: "assistant", text: step.text, calls: [] });
            return { end: step.end, steps };
          }
          const results = await callAll(step.calls);
          exchange.push({ role: "assistant", text: step.text, calls: [...step.calls] }, results);
          heard = "";
          if (signal.aborted) return { end: "stopped", steps };
          if (steps >= maxSteps) return { end: "steps", steps };
        }
      }

      /**
       * Runs calls one after the other, because a person is asked one thing at a time and a later call may depend on an
       * earlier one.
       */
      async function callAll(
        calls: readonly ChatCall[],
      ): Promise<Extract<ChatMessage, { role: "tools" }>> {
        const results = [];
        for (const call of calls) {
          const { text, isError } = signal.aborted
            ? { text: "cancelled: The user stopped the answer. Nothing was done.", isError: true }
            : await settings.call(call, signal);
          results.push({ callId: call.callId, tool: call.tool, text, isError });
        }
        return { role: "tools", results };
      }

      const ended = await answer().catch((error: unknown) => {
        if (!(error instanceof ToolError)) throw error;
        said += heard;
        const text = heard === "" ? noAnswer : `${heard}\n${noAnswer}`;
        exchange.push({ role: "assistant", text, calls: [] });
        return signal.aborted
          ? { end: "stopped" as const, steps: 0 }
          : { end: "failed" as const, steps: 0, error };
      });
      const stored = exchange.map(toStored);
      const tokens = likelyTokens(JSON.stringify(stored));
      await history.add(session, { messages: stored, tokens }, maxHistoryTokens);
      return { text: said, ...ended };
    },
  };
}

const noAnswer = "[The answer ended here.]";

/** Drops a long result as a whole, since a part would lose the end of its markers. */
function toStored(message: ChatMessage): ChatMessage {
  if (message.role !== "tools") return message;
  const results = message.results.map((result) =>
    result.text.length <= maxStoredResult
      ? result
      : {
          ...result,
          text: `[A result of ${result.text.length} characters, not kept. Call ${result.tool} again if you need it.]`,
        },
  );
  return { ...message, results };
}
