import { encode } from "gpt-tokenizer";
import type { Body } from "./model-apis.ts";

/** The results of tools in a request, oldest first, as the model reads them. */
export function resultsIn(body: Body): readonly string[] {
  return [
    ...list(body["messages"]).flatMap(fromMessage),
    ...list(body["input"])
      .filter(({ type }) => type === "function_call_output")
      .map(({ output }) => asText(output)),
    ...list(body["contents"])
      .flatMap(({ parts }) => list(parts))
      .filter(({ functionResponse }) => functionResponse !== undefined)
      .map(({ functionResponse }) => asText((functionResponse as Body)["response"])),
  ];
}

function fromMessage({ role, content }: Body): string[] {
  if (role === "tool") return [asText(content)];
  return list(content)
    .filter(({ type }) => type === "tool_result")
    .map(({ content: inner }) => asText(inner));
}

function list(value: unknown): Body[] {
  return Array.isArray(value) ? (value as Body[]) : [];
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** In which form the result of a search reached the model. */
export function formOf(result: string): string {
  const isText = result.includes("1 of 1 messages.");
  const isStructured = result.includes("summarySource");
  if (isText && isStructured) return "both";
  if (isText) return "text";
  return isStructured ? "structured" : "neither";
}

export function tokensOf(text: string): number {
  return encode(text).length;
}

/** The revision that client and server spoke, from what passed between them. */
export function protocolIn(rpc: string): string {
  const modern =
    /^> .*"io\.modelcontextprotocol\/protocolVersion":"([\d-]+)".*"tools\/call"|^> .*"tools\/call".*"io\.modelcontextprotocol\/protocolVersion":"([\d-]+)"/m.exec(
      rpc,
    );
  const legacy = /^< .*"protocolVersion":"([\d-]+)"/m.exec(rpc);
  return modern?.[1] ?? modern?.[2] ?? legacy?.[1] ?? "not seen";
}

/** What the client did with the dialog that a server may open in it. */
export function dialogIn(rpc: string): string {
  if (!/^> .*"elicitation":\{/m.test(rpc)) return "none";
  if (!/^< .*"elicitation\/create"/m.test(rpc)) return "offered, not opened";
  const answer = /^> .*"action":"(\w+)"/m.exec(rpc)?.[1];
  return `answered by itself: ${answer ?? "nothing"}`;
}
