import type { ModelSettings } from "./language-model.ts";

/**
 * Returns a `data:` URL with an answer in the form that the service streams: some text, a call and the end. It is read
 * like a real answer, and nothing leaves the process.
 */
export function rehearsedAnswer(provider: ModelSettings["provider"]): string {
  const body = provider === "anthropic" ? messageEvents() : chunkEvents();
  return `data:text/event-stream,${encodeURIComponent(body)}`;
}

/** Returns the events of platform.openai.com, "Streaming chat completions". */
function chunkEvents(): string {
  const call = { index: 0, id: "call_1", function: { name: "greet", arguments: "{}" } };
  const chunks: [delta: unknown, end: string | null][] = [
    [{ role: "assistant", content: "Hello " }, null],
    [{ content: "there." }, null],
    [{ tool_calls: [call] }, null],
    [{}, "tool_calls"],
  ];
  const events = chunks.map(([delta, end]) =>
    JSON.stringify({ id: "1", created: 1, model: "m", choices: [{ delta, finish_reason: end }] }),
  );
  return [...events, "[DONE]"].map((data) => `data: ${data}\n\n`).join("");
}

/** Returns the events of docs.anthropic.com, "Streaming messages". */
function messageEvents(): string {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const text = { type: "text", text: "" };
  const call = { type: "tool_use", id: "call_1", name: "greet", input: {} };
  const message = { type: "message", role: "assistant", id: "1", model: "m", content: [], usage };
  const events: { type: string; [field: string]: unknown }[] = [
    { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: "content_block_start", index: 0, content_block: text },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello " } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "there." } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: call },
    {
      type: "content_block_delta",
      index: 1,
      delta: { type: "input_json_delta", partial_json: "{}" },
    },
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
