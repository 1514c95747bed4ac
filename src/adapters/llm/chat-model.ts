import type { JSONValue, ModelMessage, ToolSet } from "ai";
import type {
  ChatCall,
  ChatMessage,
  ChatModel,
  ChatTool,
  StepEnd,
} from "../../ports/people/chat-model.ts";
import { patientFetch } from "./bounded-fetch.ts";
import { type ModelPurpose, modelError, ModelFailure } from "./errors.ts";
import { failureOf, mustBeHeader } from "./failure-of.ts";
import { languageModel, type ModelSettings } from "./language-model.ts";

export interface ChatModelSettings extends ModelSettings {
  /** The longest time without a byte from the service. */
  timeoutMs: number;
}

const purpose: ModelPurpose = { settings: "ASSISTANT", nothing: "The answer is not complete." };

/** Creates a chat model with the AI SDK, which is loaded with the first request. The SDK's retries are off. */
export function createChatModel(settings: ChatModelSettings): ChatModel {
  const { apiKey, timeoutMs } = settings;
  const fetch = patientFetch(timeoutMs);

  const step: ChatModel["step"] = async ({ system, messages, tools }, { signal, onText }) => {
    try {
      mustBeHeader(apiKey);
      const { jsonSchema, streamText, tool } = await import("ai");
      // The SDK's warnings would go to stdout, which carries the answer.
      globalThis.AI_SDK_LOG_WARNINGS = false;
      const stream = streamText({
        model: await languageModel(settings, { fetch }),
        system,
        messages: messages.map(toSdk),
        tools: toolSet(tools, (input) => tool({ ...input, inputSchema: jsonSchema(input.schema) })),
        maxRetries: 0,
        abortSignal: signal,
        // The SDK prints errors otherwise.
        onError: () => undefined,
      });
      let text = "";
      let end: StepEnd = "cut";
      const calls: ChatCall[] = [];
      for await (const part of stream.fullStream) {
        if (part.type === "error") throw part.error;
        if (part.type === "abort") throw new ModelFailure("stopped");
        if (part.type === "text-delta") {
          text += part.text;
          onText(part.text);
        }
        if (part.type === "tool-call")
          calls.push({ callId: part.toolCallId, tool: part.toolName, args: part.input });
        if (part.type === "finish") end = endOf(part.finishReason);
      }
      return { text, calls, end };
    } catch (error) {
      throw modelError(
        signal.aborted ? new ModelFailure("stopped") : failureOf(error, apiKey, { isLate: false }),
        purpose,
      );
    }
  };

  return {
    step,
    check: async () => {
      const messages: ChatMessage[] = [{ role: "user", text: "This is a test. Answer: ok" }];
      const { signal } = new AbortController();
      await step(
        { system: "Answer with the word ok.", messages, tools: [] },
        { signal, onText: () => undefined },
      );
    },
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

function endOf(reason: string): StepEnd {
  if (reason === "length") return "long";
  if (reason === "content-filter") return "refused";
  return ["stop", "tool-calls"].includes(reason) ? "complete" : "cut";
}

function toSdk(message: ChatMessage): ModelMessage {
  switch (message.role) {
    case "user":
      return { role: "user", content: message.text };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...(message.text === "" ? [] : [{ type: "text" as const, text: message.text }]),
          ...message.calls.map(({ callId, tool, args }) => ({
            type: "tool-call" as const,
            toolCallId: callId,
            toolName: tool,
            // The services accept objects only. The result says what was wrong with any other value.
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
          toolName: tool,
          output: { type: isError ? ("error-text" as const) : ("text" as const), value: text },
        })),
      };
  }
}

function isObject(value: unknown): value is Record<string, JSONValue> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
