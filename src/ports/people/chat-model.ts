import { z } from "zod";

/** A call that a model requested. */
const chatCall = z.object({
  callId: z.string(),
  tool: z.string(),
  /** The arguments. A text that is not JSON is passed on as a text, and the call pipeline refuses it. */
  args: z.unknown(),
});

/** One message of a conversation, in a form that is independent of providers. */
const chatMessage = z.discriminatedUnion("role", [
  z.object({ role: z.literal("user"), text: z.string() }),
  z.object({ role: z.literal("assistant"), text: z.string(), calls: z.array(chatCall) }),
  z.object({
    role: z.literal("tools"),
    results: z.array(
      z.object({
        callId: z.string(),
        tool: z.string(),
        text: z.string(),
        isError: z.boolean(),
      }),
    ),
  }),
]);

/** The messages of one exchange as they are stored. */
export const chatMessages = z.array(chatMessage);

export type ChatCall = z.infer<typeof chatCall>;
export type ChatMessage = z.infer<typeof chatMessage>;

/** A tool as a model sees it. */
export interface ChatTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  input: Readonly<Record<string, unknown>>;
}

/** `cut`: the stream ended before the answer was complete. `long`: the answer reached the model's limit. */
export type StepEnd = "complete" | "long" | "refused" | "cut";

export interface ChatStep {
  text: string;
  calls: readonly ChatCall[];
  end: StepEnd;
}

/** A model that answers in a stream and may request calls of tools. */
export interface ChatModel {
  /**
   * Loads and compiles the code for an answer in advance, so that the first one is not delayed. `step` does it if
   * needed.
   */
  prepare(): Promise<void>;
  /**
   * Requests one step of an answer.
   * @param options.onText receives each piece of the answer's text as it arrives
   * @throws ToolError `auth`, `rate_limited`, `timeout`, `unavailable`, `cancelled` and others of
   * adapters/llm/errors.ts
   */
  step(
    request: {
      system: string;
      messages: readonly ChatMessage[];
      tools: readonly ChatTool[];
    },
    options: { signal: AbortSignal; onText: (text: string) => void },
  ): Promise<ChatStep>;
  /** Requests a short answer. @throws ToolError as `step` */
  check(): Promise<void>;
}
