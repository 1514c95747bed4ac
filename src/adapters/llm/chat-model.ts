import type { JSONValue, ModelMessage, ToolSet } from "ai";
import type {
  ChatCall,
  ChatMessage,
  ChatModel,
  ChatTool,
  StepEnd,
} from "../../ports/people/chat-model.ts";
import { fetchWithIdleTimeout } from "./bounded-fetch.ts";
import { type ModelPurpose, modelError, ModelFailure } from "./errors.ts";
import { failureOf, assertHeaderValue } from "./failure-of.ts";
import { languageModel, type ModelSettings } from "./language-model.ts";
import { rehearsedAnswer } from "./rehearsed-answer.ts";

export interface ChatModelSettings extends ModelSettings {
  /** The longest time without a byte from the service. */
  timeoutMs: number;
}

/** How many times `timeoutMs` a service may only send signs of life. After that the model counts as silent. */
const mostSilences = 5;

const purpose: ModelPurpose = { settings: "ASSISTANT", nothing: "The answer is not complete." };

/** Creates a chat model with the AI SDK, which is loaded before the first request. The SDK's retries are off. */
export function createChatModel(settings: ChatModelSettings): ChatModel {
  const fetchModel = fetchWithIdleTimeout(settings.timeoutMs);
  let isRehearsing = false;
  const ask = createStep(settings, (input, init) =>
    fetchModel(isRehearsing ? rehearsedAnswer(settings.provider) : input, init),
  );
  let prepared: Promise<void> | undefined;

  /** Reads a short prepared answer, because the SDK compiles much of its code with the first answer. */
  async function rehearse(): Promise<void> {
    isRehearsing = true;
    const messages: ChatMessage[] = [{ role: "user", text: "Hello" }];
    const input = { type: "object", properties: {} } as const;
    const tools: ChatTool[] = [{ name: "greet", description: "Greets.", input }];
    const { signal } = new AbortController();
    await ask({ system: "Greet.", messages, tools }, { signal, onText: () => undefined })
      // A failure will appear again with the first question.
      .catch(() => undefined);
    isRehearsing = false;
  }

  const prepare = (): Promise<void> => (prepared ??= rehearse());
  const step: ChatModel["step"] = async (request, options) => {
    await prepare();
    return await ask(request, options);
  };

  return {
    prepare,
    step,
    check: async () => {
      const messages: ChatMessage[] = [{ role: "user", text: "This is a test. Answer: ok" }];
      // A person waits for it, so signs of life do not make it longer.
      const signal = AbortSignal.timeout(settings.timeoutMs);
      const request = { system: "Answer with the word ok.", messages, tools: [] };
      try {
        await step(request, { signal, onText: () => undefined });
      } catch (error) {
        throw signal.aborted ? modelError(new ModelFailure("late"), purpose) : error;
      }
    },
  };
}

function createStep(
  settings: ChatModelSettings,
  fetch: typeof globalThis.fetch,
): ChatModel["step"] {
  const { apiKey, timeoutMs } = settings;
  let model: ReturnType<typeof languageModel> | undefined;
  return async ({ system, messages, tools }, { signal, onText }) => {
    let text = "";
    const stall = new AbortController();
    const wait = (): NodeJS.Timeout =>
      setTimeout(() => stall.abort(), mostSilences * timeoutMs).unref();
    let timer = wait();
    try {
      assertHeaderValue(apiKey);
      const { jsonSchema, streamText, tool, ...sdk } = await import("ai");
      // The SDK's warnings would go to stdout, which carries the answer.
      globalThis.AI_SDK_LOG_WARNINGS = false;
      const stream = streamText({
        model: sdk.wrapLanguageModel({
          model: await (model ??= languageModel(settings, { fetch })),
          // Local servers without a reasoning parser leave the model's reasoning in its text.
          middleware: sdk.extractReasoningMiddleware({ tagName: "think" }),
        }),
        system,
        messages: messages.map(toSdk),
        tools: toolSet(tools, (input) => tool({ ...input, inputSchema: jsonSchema(input.schema) })),
        maxRetries: 0,
        abortSignal: AbortSignal.any([signal, stall.signal]),
        // The SDK prints errors if there is no handler.
        onError: () => undefined,
      });
      let end: StepEnd = "cut";
      const say = (piece: string): void => {
        if (piece === "") return;
        text += piece;
        onText(piece);
      };
      const whole = wholeCharacters(say);
      const calls: ChatCall[] = [];
      for await (const part of stream.fullStream) {
        clearTimeout(timer);
        timer = wait();
        if (part.type === "error") throw part.error;
        if (part.type === "abort") throw new ModelFailure("stopped");
        if (part.type === "text-delta") whole.add(part.text);
        if (part.type === "tool-call")
          calls.push({ callId: part.toolCallId, tool: part.toolName, args: sendable(part.input) });
        if (part.type === "finish") end = endOf(part.finishReason, part.rawFinishReason);
      }
      whole.end();
      return { text, calls, end };
    } catch (error) {
      if (signal.aborted) throw modelError(new ModelFailure("stopped"), purpose);
      if (stall.signal.aborted) throw modelError(new ModelFailure("late"), purpose);
      const failure = failureOf(error, apiKey, { isLate: false });
      const isCut = text !== "" && failure.what === "junk" && hasNoEnd(error);
      throw modelError(isCut ? new ModelFailure("closed", { cause: error }) : failure, purpose);
    } finally {
      clearTimeout(timer);
    }
  };
}

function toolSet(
  tools: readonly ChatTool[],
  create: (tool: { description: string; schema: ChatTool["input"] }) => ToolSet[string],
): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, input }) => [name, create({ description, schema: input })]),
  );
}

/** Reasons for the end of an answer that local servers name in their own way, so that the SDK does not know them. */
const usualEnds = /^(eos|eos_token|end_turn|end_of_text|stop_sequence|completed?|done)$/i;

function endOf(reason: string, raw: string | undefined): StepEnd {
  if (reason === "length") return "long";
  if (reason === "content-filter") return "refused";
  if (["stop", "tool-calls"].includes(reason)) return "complete";
  return raw !== undefined && usualEnds.test(raw) ? "complete" : "cut";
}

/** Returns whether a stream began and did not end. Such an answer is incomplete, not invalid. */
function hasNoEnd(error: unknown): boolean {
  return error instanceof Error && /NoOutputGenerated|InvalidResponseData/.test(error.name);
}

/** Joins the halves of a character (a surrogate pair) that a service split between two pieces. */
function wholeCharacters(say: (text: string) => void) {
  let half = "";
  return {
    add: (piece: string): void => {
      const joined = half + piece;
      half = /[\uD800-\uDBFF]$/.exec(joined)?.[0] ?? "";
      say(joined.slice(0, joined.length - half.length));
    },
    end: (): void => say(half),
  };
}

function toSdk(message: ChatMessage): ModelMessage {
  switch (message.role) {
    case "user":
      return { role: "user", content: message.text };
    case "assistant":
      return {
        role: "assistant",
        content: [
          // Anthropic refuses a blank text, and a message without content.
          ...textOf(message),
          ...message.calls.map(({ callId, tool, args }) => ({
            type: "tool-call" as const,
            toolCallId: callId,
            toolName: nameFor(tool),
            // The services accept only objects. The result of the call says what was wrong with any other value.
            input: isObject(args) ? args : {},
          })),
        ],
      };
    case "tools":
      return {
        role: "tool",
        content: message.results.map(({ callId, tool, text, isError }) => ({
          type: "tool-result" as const,
          toolCallId: callId,
          toolName: nameFor(tool),
          output: { type: isError ? ("error-text" as const) : ("text" as const), value: text },
        })),
      };
  }
}

/** Returns a name that both services accept in a conversation, because the model may have invented one. */
function nameFor(tool: string): string {
  return tool.replaceAll(/[^\w-]/g, "_").slice(0, 64) || "_";
}

/** Returns arguments that can be serialized as JSON. The parser accepts a deeper nesting than the serializer. */
function sendable(args: unknown): unknown {
  try {
    JSON.stringify(args);
    return args;
  } catch {
    return "The arguments are nested too deeply.";
  }
}

function textOf({ text, calls }: Extract<ChatMessage, { role: "assistant" }>) {
  if (text.trim() !== "") return [{ type: "text" as const, text }];
  return calls.length > 0 ? [] : [{ type: "text" as const, text: "[no answer]" }];
}

function isObject(value: unknown): value is Record<string, JSONValue> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
