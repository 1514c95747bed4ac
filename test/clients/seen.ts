import { encode } from "gpt-tokenizer";
import { type Body, callId } from "./model-apis.ts";

/** Returns the results of the model's calls in a request as the model reads them, oldest call first. */
export function resultsIn(body: Body): readonly string[] {
  const found = [
    ...list(body["messages"]).flatMap(fromMessage),
    ...observed(list(body["messages"])),
    ...list(body["input"])
      .filter(({ type }) => type === "function_call_output")
      .map(({ call_id, output }): Found => [call_id, output]),
    ...list(body["contents"])
      .flatMap(({ parts }) => list(parts))
      .map(({ functionResponse }) => functionResponse as Body | undefined)
      .flatMap((answer): Found[] => (answer ? [[answer["id"], answer["response"]]] : [])),
  ];
  const byId = new Map(found);
  const results: string[] = [];
  for (let step = 0; byId.has(callId(step)); step += 1)
    results.push(asText(byId.get(callId(step))));
  return results;
}

type Found = readonly [id: unknown, content: unknown];

function fromMessage({ role, content, tool_call_id }: Body): Found[] {
  if (role === "tool") return [[tool_call_id, content]];
  return list(content)
    .filter(({ type }) => type === "tool_result")
    .map(({ tool_use_id, content: inner }): Found => [tool_use_id, inner]);
}

/** Reads the prose of smolagents. The call's id is in one message and its result in the next. */
function observed(messages: readonly Body[]): Found[] {
  const texts = messages.map(({ content }) => asText(content));
  return texts.flatMap((text, index): Found[] => {
    const [, id] = /^Calling tools:[\s\S]*'id': '(\w+)'/.exec(text) ?? [];
    const [, result] = /^Observation:\n([\s\S]*)/.exec(texts[index + 1] ?? "") ?? [];
    return id === undefined || result === undefined ? [] : [[id, result]];
  });
}

function list(value: unknown): Body[] {
  return Array.isArray(value) ? (value as Body[]) : [];
}

/** Takes the wrapping of a service off: parts that are texts, and an object around one text. */
function asText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  if (Array.isArray(value) && value.length > 0) return value.map(asText).join("\n");
  const given = value as Body;
  if (typeof given["text"] === "string") return given["text"];
  const [only, ...others] = Object.values(given);
  return typeof only === "string" && others.length === 0 ? only : JSON.stringify(value);
}

/** Returns the form in which the result of a search reached the model. */
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

interface Answered {
  text: string;
  /** True for an error of the server. */
  isError: boolean;
}

interface Message {
  id?: unknown;
  method?: string;
  result?: { content?: { type: string; text?: string }[]; isError?: boolean };
}

/** Returns what the server answered to each call that reached it, oldest call first. A question in between is no answer. */
export function answersIn(rpc: string): readonly Answered[] {
  const messages = rpc.split("\n").flatMap((line) => {
    const [, json] = /^< (?:data: )?(\{.*\})\s*$/.exec(line) ?? [];
    return json === undefined ? [] : [JSON.parse(json) as Message];
  });
  return messages.flatMap(({ result }) => {
    if (result?.content === undefined) return [];
    const text = result.content.flatMap(({ text: part }) => part ?? []).join("\n");
    return [{ text, isError: result.isError === true }];
  });
}

/** Removes what is between the markers of untrusted text. */
export function withoutFenced(result: string): string {
  return result.replaceAll(/\[untrusted (\w+)[:\]][\s\S]*?\[end of untrusted \1\]/g, "");
}

/** Returns the revision that client and server spoke, from the recorded traffic. */
export function protocolIn(rpc: string): string {
  const modern =
    /^> .*"io\.modelcontextprotocol\/protocolVersion":"([\d-]+)".*"tools\/call"|^> .*"tools\/call".*"io\.modelcontextprotocol\/protocolVersion":"([\d-]+)"/m.exec(
      rpc,
    );
  const legacy = /^< .*"protocolVersion":"([\d-]+)"/m.exec(rpc);
  return modern?.[1] ?? modern?.[2] ?? legacy?.[1] ?? "not seen";
}

/** Returns what the client did with a dialog that the server opened. */
export function dialogIn(rpc: string): string {
  if (!/^> .*"elicitation":\{/m.test(rpc)) return "none";
  if (!/^< .*"elicitation\/create"/m.test(rpc)) return "offered, not opened";
  const answer = /^> .*"action":"(\w+)"/m.exec(rpc)?.[1];
  return `answered by itself: ${answer ?? "nothing"}`;
}
