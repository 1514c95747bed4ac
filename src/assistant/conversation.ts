import type { ChatHistory } from "../ports/people/chat-history.ts";
import type { ChatCall, ChatMessage, ChatModel, ChatTool } from "../ports/people/chat-model.ts";
import { randomId } from "../core/shared/digest.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import { storedExchange } from "./stored-exchange.ts";

/**
 * Limit on the tokens of a stored conversation. Together with the tools and one long result they fit into the 32 000 tokens of
 * small local models.
 */
const maxHistoryTokens = 16_000;

/** The result of a tool, for the model. */
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
  /** Returns the tools for one question. */
  tools: () => readonly ChatTool[];
  /** Makes one call. It may name an unknown tool or have invalid arguments. */
  call(call: ChatCall, signal: AbortSignal): Promise<ToolAnswer>;
}

/**
 * How an answer ended. `steps`: the model requested calls even in the last step. `empty`: it wrote nothing. `long`,
 * `refused`, `cut` and `failed` come from the model or its service.
 */
export type AnswerEnd =
  | "complete"
  | "empty"
  | "stopped"
  | "steps"
  | "long"
  | "refused"
  | "cut"
  | "failed";

export interface Answer {
  text: string;
  end: AnswerEnd;
  steps: number;
  /** Set if `end` is `failed`. */
  error?: ToolError;
}

/** Answers one question at a time in a stored conversation. */
export interface Assistant {
  /**
   * Streams the answer to `onText` and stores the exchange, even an interrupted one. Calls `onStep` before each step
   * after the first.
   */
  ask(
    session: string,
    question: string,
    options: { signal: AbortSignal; onText: (text: string) => void; onStep?: () => void },
  ): Promise<Answer>;
  /** Deletes a conversation. An answer that is being written is not stored. Returns the number of deleted questions. */
  forget(session: string): Promise<number>;
}

export function createAssistant(settings: AssistantSettings): Assistant {
  const { model, history, maxSteps } = settings;
  /** How often each conversation was deleted here. */
  const forgotten = new Map<string, number>();

  return {
    ask: async (session, question, { signal, onText, onStep }) => {
      const deletions = forgotten.get(session);
      const isForgotten = (): boolean => forgotten.get(session) !== deletions;
      const before = await history.messages(session);
      const exchange: ChatMessage[] = [{ role: "user", text: question }];
      const system = settings.system();
      const tools = settings.tools();
      const ids = new Set(before.flatMap(callIdsOf));
      let said = "";
      let heard = "";
      let steps = 0;
      const hear = (text: string): void => {
        heard += text;
        onText(text);
      };

      async function answer(): Promise<AnswerEnd> {
        for (;;) {
          steps += 1;
          heard = "";
          if (steps > 1) onStep?.();
          const messages = [...before, ...exchange];
          const step = await model.step({ system, messages, tools }, { signal, onText: hear });
          said = together(said, step.text);
          if (step.end !== "complete" || step.calls.length === 0) {
            exchange.push({ role: "assistant", text: step.text, calls: [] });
            return step.end === "complete" && said.trim() === "" ? "empty" : step.end;
          }
          const calls = step.calls.map((call) => ({ ...call, callId: usableId(call.callId, ids) }));
          const results = await callAll(calls);
          exchange.push({ role: "assistant", text: step.text, calls }, results);
          heard = "";
          if (signal.aborted) return "stopped";
          if (steps >= maxSteps) return "steps";
        }
      }

      /**
       * Runs calls one after the other, because a person is asked about one call at a time, and a later call may depend
       * on an earlier one.
       */
      async function callAll(
        calls: readonly ChatCall[],
      ): Promise<Extract<ChatMessage, { role: "tools" }>> {
        const results = [];
        let last = "";
        for (const call of calls) {
          const { text, isError } = await answerOf(call, last);
          last = contentOf(call);
          results.push({ callId: call.callId, tool: call.tool, text, isError });
        }
        return { role: "tools", results };
      }

      async function answerOf(call: ChatCall, last: string): Promise<ToolAnswer> {
        if (signal.aborted)
          return {
            text: "cancelled: The user stopped the answer. Nothing was done.",
            isError: true,
          };
        // Some services deliver a call twice. The SDK gives the second one another id, so the content is compared.
        if (contentOf(call) === last)
          return {
            text: "The call was not made again, because it repeats the one before it. Call it in another step if you want it twice.",
            isError: false,
          };
        return await settings.call(call, signal);
      }

      let failure: ToolError | undefined;
      const end = await answer().catch((error: unknown): AnswerEnd => {
        if (!(error instanceof ToolError)) throw error;
        said = together(said, heard);
        const text = heard === "" ? noAnswer : `${heard}\n${noAnswer}`;
        exchange.push({ role: "assistant", text, calls: [] });
        if (signal.aborted) return "stopped";
        failure = error;
        return "failed";
      });
      if (!isForgotten())
        await history.add(session, storedExchange(exchange, maxHistoryTokens), maxHistoryTokens);
      return { text: said, end, steps, ...(failure !== undefined && { error: failure }) };
    },
    forget: async (session) => {
      forgotten.set(session, (forgotten.get(session) ?? 0) + 1);
      return await history.remove(session);
    },
  };
}

const noAnswer = "[The answer ended here.]";
/** The separator between the texts of two steps, between which a call was made. */
export const betweenSteps = "\n\n";

/** Joins the texts of steps. */
function together(said: string, text: string): string {
  return said === "" || text === "" ? said + text : said + betweenSteps + text;
}

function callIdsOf(message: ChatMessage): string[] {
  return message.role === "assistant" ? message.calls.map(({ callId }) => callId) : [];
}

/** Returns the content of a call without its id. */
function contentOf({ tool, args }: ChatCall): string {
  return JSON.stringify([tool, args]);
}

/** The ids that each service accepts. A conversation may continue with another service. */
const usable = /^[\w-]{1,40}$/;

/**
 * Returns a unique id for each call. Some services restart the numbers of calls in each step, and others refuse a
 * conversation with a repeated id.
 */
function usableId(given: string, ids: Set<string>): string {
  const callId = usable.test(given) && !ids.has(given) ? given : randomId("call");
  ids.add(callId);
  return callId;
}
