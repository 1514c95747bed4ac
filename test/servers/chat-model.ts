import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { modelKey, type Protocol } from "./text-model.ts";

/** One step of an answer, or the way in which the service misbehaves. */
export type Reply =
  /**
   * Text in pieces, then calls. `args` is the raw text of the arguments. `finish` is a reason that is sent unchanged.
   */
  | {
      text?: readonly string[];
      calls?: Calls;
      end?: "refusal" | "length";
      finish?: string;
      /** The time between the first piece of text and the rest. */
      pauseMs?: number;
    }
  | { status: number; headers?: Record<string, string>; body?: string }
  /**
   * Sends the text and then nothing, or only signs of life, closes the connection in the middle of a line or before the end, or reports an
   * error in the stream.
   */
  | {
      text: readonly string[];
      calls?: Calls;
      stops: "silence" | "pings" | "cut" | "end" | "error";
    };

type Calls = readonly (readonly [tool: string, args: unknown, id?: string])[];

/** A request as both protocols have it. */
export interface ChatRequest {
  system: string;
  tools: readonly string[];
  /** Texts of the user, the assistant and the tools, in their order. */
  heard: readonly string[];
  body: string;
}

export interface ChatModelServer {
  url: string;
  readonly requests: readonly ChatRequest[];
  close(): Promise<void>;
}

/** Starts a model's service on loopback that streams one reply of its script for each request. */
export async function startChatModel(
  protocol: Protocol,
  script: (request: ChatRequest, index: number) => Reply,
): Promise<ChatModelServer> {
  const requests: ChatRequest[] = [];
  const isChat = protocol === "openai-compatible";
  const server = createServer((incoming, response) => {
    let body = "";
    incoming.setEncoding("utf8").on("data", (piece: string) => (body += piece));
    incoming.on("end", () => {
      const { headers, url } = incoming;
      const key = isChat ? headers.authorization?.replace(/^Bearer /, "") : headers["x-api-key"];
      const path = isChat ? "/v1/chat/completions" : "/v1/messages";
      if (key !== modelKey || url !== path) {
        response.writeHead(key === modelKey ? 404 : 401).end("{}");
        return;
      }
      const request = (isChat ? readChat : readMessages)(body);
      requests.push(request);
      send(response, isChat, script(request, requests.length - 1), requests.length);
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    url,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const text = z.union([
  z.string(),
  z
    .array(z.looseObject({ type: z.string() }))
    .transform((blocks) =>
      blocks
        .map((block) =>
          block.type === "text"
            ? String(block["text"])
            : block.type === "tool_result"
              ? contentOf(block["content"])
              : "",
        )
        .join(""),
    ),
  z.null().transform(() => ""),
]);

function contentOf(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}

/** platform.openai.com, "Create chat completion". */
const chatForm = z.object({
  stream: z.literal(true),
  messages: z.array(z.object({ role: z.string(), content: text })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
});

/** docs.anthropic.com, "Messages". */
const messagesForm = z.object({
  stream: z.literal(true),
  system: text,
  messages: z.array(z.object({ role: z.string(), content: text })),
  tools: z.array(z.object({ name: z.string() })).default([]),
});

function readChat(body: string): ChatRequest {
  const { messages, tools } = chatForm.parse(JSON.parse(body));
  const [system, ...rest] = messages;
  return {
    system: system?.content ?? "",
    tools: tools.map((tool) => tool.function.name),
    heard: rest.map(({ content }) => content),
    body,
  };
}

function readMessages(body: string): ChatRequest {
  const { system, messages, tools } = messagesForm.parse(JSON.parse(body));
  return {
    system,
    tools: tools.map(({ name }) => name),
    heard: messages.map(({ content }) => content),
    body,
  };
}

function send(response: ServerResponse, isChat: boolean, reply: Reply, index: number): void {
  if ("status" in reply) {
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(reply.body ?? JSON.stringify({ error: { type: "error", message: "scripted" } }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const events = (isChat ? chatEvents : messageEvents)(reply, index);
  if ("pauseMs" in reply && reply.pauseMs !== undefined) {
    // The first piece of text follows the beginning of the message and of its block.
    const first = events.splice(0, isChat ? 1 : 3);
    response.write(first.join(""));
    setTimeout(() => response.end(events.join("")), reply.pauseMs);
    return;
  }
  for (const event of events) response.write(event);
  if (!("stops" in reply) || reply.stops === "end") response.end();
  else if (reply.stops === "error") {
    const error = { type: "overloaded_error", message: "scripted" };
    const data = JSON.stringify(isChat ? { error } : { type: "error", error });
    response.end(`${isChat ? "" : "event: error\n"}data: ${data}\n\n`);
  } else if (reply.stops === "pings") {
    const ping = isChat ? ": processing\n\n" : 'event: ping\ndata: {"type":"ping"}\n\n';
    const timer = setInterval(() => response.write(ping), 200);
    response.once("close", () => clearInterval(timer));
  } else if (reply.stops === "cut") response.write("data: {", () => response.destroy());
}

const ends = {
  chat: { refusal: "content_filter", length: "length" },
  messages: { refusal: "refusal", length: "max_tokens" },
};

function toolUse(name: string, id: string) {
  return { type: "tool_use", id, name, input: {} };
}

function rawArguments(args: unknown): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}

function chatEvents(reply: Exclude<Reply, { status: number }>, index: number): string[] {
  const event = (delta: unknown, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: `c${index}`, object: "chat.completion.chunk", created: 1, model: "scripted", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const pieces = (reply.text ?? []).map((content) => event({ role: "assistant", content }));
  const calls = (reply.calls ?? []).map(([name, args, id], at) =>
    event({
      tool_calls: [
        {
          index: at,
          id: id ?? `call_${index}_${at}`,
          type: "function",
          function: { name, arguments: rawArguments(args) },
        },
      ],
    }),
  );
  if ("stops" in reply) return [...pieces, ...calls];
  const usual = calls.length > 0 ? "tool_calls" : "stop";
  const end = reply.finish ?? (reply.end ? ends.chat[reply.end] : usual);
  return [...pieces, ...calls, event({}, end), "data: [DONE]\n\n"];
}

function messageEvents(reply: Exclude<Reply, { status: number }>, index: number): string[] {
  const event = (type: string, fields: Record<string, unknown>): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const block = (at: number, start: unknown, deltas: readonly unknown[]): string[] => [
    event("content_block_start", { index: at, content_block: start }),
    ...deltas.map((delta) => event("content_block_delta", { index: at, delta })),
  ];
  const stop = (at: number): string => event("content_block_stop", { index: at });
  const start = event("message_start", {
    message: {
      id: `msg_${index}`,
      type: "message",
      role: "assistant",
      model: "scripted",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  });
  const spoken = block(
    0,
    { type: "text", text: "" },
    (reply.text ?? []).map((piece) => ({ type: "text_delta", text: piece })),
  );
  const pieces = reply.text === undefined ? [] : spoken;
  const first = reply.text === undefined ? 0 : 1;
  const calls = (reply.calls ?? []).flatMap(([name, args, id], at) => [
    ...block(first + at, toolUse(name, id ?? `call_${index}_${at}`), [
      { type: "input_json_delta", partial_json: rawArguments(args) },
    ]),
    stop(first + at),
  ]);
  const ended = reply.text === undefined ? [] : [stop(0)];
  if ("stops" in reply) return [start, ...pieces, ...(calls.length > 0 ? ended : []), ...calls];
  const usual = calls.length > 0 ? "tool_use" : "end_turn";
  const end = reply.finish ?? (reply.end ? ends.messages[reply.end] : usual);
  return [
    start,
    ...pieces,
    ...ended,
    ...calls,
    event("message_delta", { delta: { stop_reason: end }, usage: { output_tokens: 2 } }),
    event("message_stop", {}),
  ];
}
