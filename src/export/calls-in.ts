import { z } from "zod";
import type { Provider } from "./providers.ts";

/** A call in a provider's form, with the id that its result must repeat. */
export interface FoundCall {
  id?: string;
  call: unknown;
}

const list = z.array(z.unknown());
const withCalls = z.object({ tool_calls: list.nullish() });

/** The schemas of whole responses, by provider. Parts of a response that are not calls are ignored. */
const responses: Readonly<Record<Provider, z.ZodType<readonly unknown[]>>> = {
  openai: z.union([
    z.object({ output: list }).transform(({ output }) => output.filter(isOf("function_call"))),
    z
      .object({ choices: z.array(z.object({ message: withCalls })) })
      .transform(({ choices }) => choices.flatMap(({ message }) => message.tool_calls ?? [])),
  ]),
  anthropic: z
    .object({ content: list })
    .transform(({ content }) => content.filter(isOf("tool_use"))),
  gemini: z
    .object({
      candidates: z.array(z.object({ content: z.object({ parts: list.default([]) }).optional() })),
    })
    .transform(({ candidates }) =>
      candidates.flatMap(({ content }) => content?.parts ?? []).filter(isFunctionCall),
    ),
  ollama: z.object({ message: withCalls }).transform(({ message }) => message.tool_calls ?? []),
  "ai-sdk": z.object({ toolCalls: list }).transform(({ toolCalls }) => toolCalls),
  mcp: z.never(),
};

/** Returns the calls in a response of a provider, or in a call or a list of calls. */
export function callsIn(response: unknown, provider: Provider = "mcp"): readonly FoundCall[] {
  const read = responses[provider].safeParse(response);
  const single = Array.isArray(response) ? response : [response];
  return (read.success ? read.data : single).map(withId);
}

function isOf(type: string): (part: unknown) => boolean {
  return (part) =>
    typeof part === "object" && part !== null && "type" in part && part.type === type;
}

function isFunctionCall(part: unknown): boolean {
  return typeof part === "object" && part !== null && "functionCall" in part;
}

const ids = z.object({
  call_id: z.string().optional(),
  toolCallId: z.string().optional(),
  id: z.string().optional(),
  functionCall: z.object({ id: z.string().optional() }).optional(),
});

function withId(call: unknown): FoundCall {
  const read = ids.safeParse(call).data;
  const id = read?.call_id ?? read?.toolCallId ?? read?.functionCall?.id ?? read?.id;
  return { call, ...(id !== undefined && { id }) };
}
