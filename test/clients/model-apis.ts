import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";

/** The body of a request to a service of models. */
export type Body = Record<string, unknown>;

export interface Tool {
  name: string;
  /** The group in which some services put the tools of one server. */
  space?: string | undefined;
}

/** The model's answer: a text, calls, or a search for a tool that was not offered yet. */
export interface Reply {
  text?: string;
  calls?: readonly { id?: string; name: string; space?: string | undefined; args: object }[];
  search?: { tool: Tool; want: string };
}

interface Api {
  path: RegExp;
  send: (response: ServerResponse, body: Body, reply: Reply, path: string) => void;
}

/** Returns the id of a step's call, which identifies its result. */
export function callId(step: number): string {
  return `toolu_step${String(step).padStart(10, "0")}`;
}

type Listed = Record<string, unknown> & { name?: string; type?: string };

/** Returns the tools of a request, in any service's form. */
export function toolsOf(body: Body): readonly Tool[] {
  const input = Array.isArray(body["input"]) ? (body["input"] as Listed[]) : [];
  const loaded = input
    .filter(({ type }) => type === "tool_search_output")
    .map(({ tools }) => tools);
  return [body["tools"], ...loaded].flatMap((tools) => flat(tools));
}

function flat(tools: unknown, space?: string): Tool[] {
  if (!Array.isArray(tools)) return [];
  return (tools as Listed[]).flatMap((tool) => {
    const declared = tool["functionDeclarations"] ?? tool["function_declarations"];
    if (declared !== undefined) return flat(declared, space);
    if (tool.type === "namespace") return flat(tool["tools"], tool.name);
    const inner = tool["function"] as { name?: string } | undefined;
    return [{ name: inner?.name ?? tool.name ?? tool.type ?? "", space }];
  });
}

const id = (start: string): string => `${start}${randomUUID().replaceAll("-", "").slice(0, 12)}`;

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Sends events, each with its name if the service gives it one. */
function events(response: ServerResponse) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  return (name: string | undefined, data: unknown): void => {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    response.write(`${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`);
  };
}

/** Implements the Messages API. */
function messages(response: ServerResponse, body: Body, { text, calls = [], search }: Reply): void {
  const wanted: NonNullable<Reply["calls"]> = search
    ? [{ name: search.tool.name, args: { query: `select:${search.want}`, max_results: 5 } }]
    : calls;
  const content = [
    ...(text === undefined ? [] : [{ type: "text", text }]),
    ...wanted.map(({ id: given = id("toolu_"), name, args }) => ({
      type: "tool_use",
      id: given,
      name,
      input: args,
    })),
  ];
  const stop_reason = wanted.length > 0 ? "tool_use" : "end_turn";
  const usage = { input_tokens: 100, output_tokens: 20 };
  const message = {
    id: id("msg_"),
    type: "message",
    role: "assistant",
    model: body["model"],
    usage,
  };
  if (body["stream"] !== true) {
    json(response, { ...message, content, stop_reason, stop_sequence: null });
    return;
  }
  const send = events(response);
  const begun = { ...message, content: [], stop_reason: null, stop_sequence: null };
  send("message_start", { type: "message_start", message: begun });
  for (const [index, block] of content.entries()) {
    const isText = "text" in block;
    const content_block = isText ? { type: "text", text: "" } : { ...block, input: {} };
    const delta = isText
      ? { type: "text_delta", text: block.text }
      : {
          type: "input_json_delta",
          partial_json: JSON.stringify((block as { input: object }).input),
        };
    send("content_block_start", { type: "content_block_start", index, content_block });
    send("content_block_delta", { type: "content_block_delta", index, delta });
    send("content_block_stop", { type: "content_block_stop", index });
  }
  const delta = { stop_reason, stop_sequence: null };
  send("message_delta", { type: "message_delta", delta, usage });
  send("message_stop", { type: "message_stop" });
  response.end();
}

/** Implements the Chat Completions API. */
function chat(response: ServerResponse, body: Body, { text, calls = [], search }: Reply): void {
  const wanted: NonNullable<Reply["calls"]> = search
    ? [{ name: search.tool.name, args: { query: search.want } }]
    : calls;
  const tool_calls = wanted.map(({ id: given = id("call_"), name, args }, index) => ({
    index,
    id: given,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  const finish_reason = tool_calls.length > 0 ? "tool_calls" : "stop";
  const base = { id: id("chatcmpl-"), created: 1_700_000_000, model: body["model"] };
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  if (body["stream"] !== true) {
    const message = {
      role: "assistant",
      content: text ?? null,
      ...(tool_calls.length > 0 && { tool_calls }),
    };
    const choices = [{ index: 0, message, finish_reason }];
    json(response, { ...base, object: "chat.completion", choices, usage });
    return;
  }
  const send = events(response);
  const chunk = (delta: object, reason: string | null = null): void =>
    send(undefined, {
      ...base,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
  chunk({ role: "assistant", content: text ?? "" });
  if (tool_calls.length > 0) chunk({ tool_calls });
  chunk({}, finish_reason);
  send(undefined, { ...base, object: "chat.completion.chunk", choices: [], usage });
  send(undefined, "[DONE]");
  response.end();
}

/** Implements the Responses API. */
function responses(sink: ServerResponse, body: Body, { text, calls = [], search }: Reply): void {
  const status = "completed";
  const output: Listed[] = [];
  if (search)
    output.push({
      type: "tool_search_call",
      id: id("ts_"),
      call_id: id("call_"),
      execution: "client",
      status,
      arguments: { query: search.want, limit: 8 },
    });
  if (text !== undefined) {
    const content = [{ type: "output_text", text, annotations: [], logprobs: [] }];
    output.push({ type: "message", id: id("msg_"), status, role: "assistant", content });
  }
  for (const { id: given = id("call_"), name, space, args } of calls)
    output.push({
      type: "function_call",
      id: id("fc_"),
      call_id: given,
      name,
      ...(space !== undefined && { namespace: space }),
      arguments: JSON.stringify(args),
      status,
    });
  const whole = {
    id: id("resp_"),
    object: "response",
    created_at: 1_700_000_000,
    status,
    model: body["model"],
    output,
    parallel_tool_calls: true,
    tool_choice: "auto",
    tools: [],
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 110,
    },
  };
  if (body["stream"] !== true) {
    json(sink, whole);
    return;
  }
  const write = events(sink);
  let sequence_number = 0;
  const send = (type: string, more: object): void => {
    write(type, { type, sequence_number, ...more });
    sequence_number += 1;
  };
  send("response.created", { response: { ...whole, status: "in_progress", output: [] } });
  for (const [output_index, item] of output.entries()) {
    const item_id = item["id"];
    send("response.output_item.added", { output_index, item: { ...item, status: "in_progress" } });
    if (item.type === "message") {
      const at = { item_id, output_index, content_index: 0 };
      const part = { type: "output_text", text: "", annotations: [] };
      send("response.content_part.added", { ...at, part });
      send("response.output_text.delta", { ...at, delta: text });
      send("response.output_text.done", { ...at, text });
      send("response.content_part.done", { ...at, part: { ...part, text } });
    }
    if (item.type === "function_call") {
      const given = item["arguments"];
      send("response.function_call_arguments.delta", { item_id, output_index, delta: given });
      send("response.function_call_arguments.done", { item_id, output_index, arguments: given });
    }
    send("response.output_item.done", { output_index, item });
  }
  send("response.completed", { response: whole });
  sink.end();
}

/** Implements generateContent, streamed or not as its path says. */
function gemini(
  response: ServerResponse,
  _body: Body,
  { text, calls = [] }: Reply,
  path: string,
): void {
  const parts = [
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ id: given, name, args }) => ({ functionCall: { id: given, name, args } })),
  ];
  const value = {
    candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
    modelVersion: "stub",
  };
  if (!path.includes("stream")) {
    json(response, value);
    return;
  }
  events(response)(undefined, value);
  response.end();
}

export const replies: readonly Api[] = [
  { path: /\/messages$/, send: messages },
  { path: /\/chat\/completions$/, send: chat },
  { path: /\/responses$/, send: responses },
  { path: /generateContent$/i, send: gemini },
];
