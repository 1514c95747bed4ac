import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

export const modelKey = "sk-test-0123456789abcdef";

export interface ModelRequest {
  at: number;
  system: string;
  prompt: string;
  /** The body as it was received. */
  body: unknown;
}

export interface ModelServer {
  url: string;
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

export type Protocol = "openai-compatible" | "anthropic";

/** The server's reaction instead of the documented one. It has answered when it returns, or answers later. */
export type Answer = (request: ModelRequest, response: ServerResponse) => string | void;

/** Fields of platform.openai.com "Create chat completion" that we send. */
const chatForm = z.strictObject({
  model: z.string(),
  max_tokens: z.int().min(1).optional(),
  max_completion_tokens: z.int().min(1).optional(),
  temperature: z.literal(0).optional(),
  messages: z.tuple([
    z.strictObject({ role: z.literal("system"), content: z.string() }),
    z.strictObject({ role: z.literal("user"), content: z.string() }),
  ]),
});

const textBlocks = z.tuple([z.looseObject({ type: z.literal("text"), text: z.string() })]);

/** Fields of docs.anthropic.com "Messages" that we send. */
const messageForm = z.strictObject({
  model: z.string(),
  max_tokens: z.int().min(1),
  temperature: z.literal(0).optional(),
  system: textBlocks,
  messages: z.tuple([z.strictObject({ role: z.literal("user"), content: textBlocks })]),
});

/**
 * Starts a model's service on loopback that speaks one of the two protocols. `answer` returns the text, or undefined to
 * misbehave.
 */
export async function startModel(protocol: Protocol, answer: Answer): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (piece: Buffer) => pieces.push(piece));
    incoming.on("end", () => {
      const { headers, url } = incoming;
      const isChat = protocol === "openai-compatible";
      const key = isChat ? headers.authorization?.replace(/^Bearer /, "") : headers["x-api-key"];
      if (key !== modelKey) {
        reply(response, { error: { message: `Incorrect API key provided: ${String(key)}` } }, 401);
        return;
      }
      if (url !== (isChat ? "/v1/chat/completions" : "/v1/messages")) {
        reply(response, { error: { message: "no such path" } }, 404);
        return;
      }
      const body: unknown = JSON.parse(Buffer.concat(pieces).toString());
      const request = { at: performance.now(), body, ...(isChat ? chat(body) : message(body)) };
      requests.push(request);
      const text = answer(request, response);
      if (typeof text === "string")
        reply(response, isChat ? chatAnswer(text) : messageAnswer(text));
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function reply(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify(value));
}

function chat(body: unknown): { system: string; prompt: string } {
  const { messages } = chatForm.parse(body);
  return { system: messages[0].content, prompt: messages[1].content };
}

function message(body: unknown): { system: string; prompt: string } {
  const { system, messages } = messageForm.parse(body);
  return { system: system[0].text, prompt: messages[0].content[0].text };
}

export function chatAnswer(text: string): unknown {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "small",
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
}

function messageAnswer(text: string): unknown {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "small",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  };
}
