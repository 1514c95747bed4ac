import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { type Body, type Reply, type Tool, callId, replies, toolsOf } from "./model-apis.ts";
import type { Verdict } from "./scenario.ts";
import { resultsIn } from "./seen.ts";

/** The model's next answer. `before` runs something outside of the model first. */
export interface Step {
  call?: string;
  args?: object;
  /** Further arguments, which are in an earlier result, by the names of groups. */
  given?: RegExp | undefined;
  text?: string;
  before?: () => Promise<unknown>;
}

/** A stand-in for the services of models, which answers from a script. */
export interface ScriptedModel {
  url: string;
  /** The bodies of the requests that had tools, oldest first. */
  requests: readonly Body[];
  /** The names of tools that it had to look up first. */
  lookedUp: ReadonlySet<string>;
  /** True if it was asked before the client had the tools. */
  isEarly: () => boolean;
  close: () => Promise<void>;
}

/** How often it calls a tool that it was not offered. */
const earlyAtMost = 20;

/** Starts the scripted model. `decide` runs when a program without a model requests a decision at `/decide/VERDICT`. */
export async function startModel(
  steps: readonly Step[],
  decide: (verdict: Verdict) => Promise<void>,
): Promise<ScriptedModel> {
  const requests: Body[] = [];
  const lookedUp = new Set<string>();
  let taken = 0;
  let early = 0;

  async function next(body: Body, tools: readonly Tool[]): Promise<Reply> {
    if (tools.length === 0) return { text: "ok" };
    requests.push(body);
    const step = steps[taken];
    if (step === undefined) return { text: "Finished." };
    const { call } = step;
    if (call === undefined) {
      taken += 1;
      const text = step.text ?? "Finished.";
      // Some agents end only with a call.
      const isCalled = tools.some(({ name }) => name === "final_answer");
      return isCalled ? { calls: [{ name: "final_answer", args: { answer: text } }] } : { text };
    }
    const search = tools.find(({ name }) => /^(?:ToolSearch|tool_search)$/i.test(name));
    // A client that hides tools until they are looked up may have a tool of its own with the same name.
    const tool = found(search === undefined ? tools : tools.filter(isOurs), call);
    const known = new RegExp(`(?:mcp_{1,2})?countersign_{1,2}${call}\\b`).exec(
      JSON.stringify(body),
    )?.[0];
    if (tool === undefined && search !== undefined && !lookedUp.has(call)) {
      lookedUp.add(call);
      return { search: { tool: search, want: known ?? call } };
    }
    if (tool === undefined && search === undefined && early < earlyAtMost && known === undefined) {
      // Some ask the model before the server has started: the call fails, and the next request has the tools.
      early += 1;
      return { calls: [{ name: call, args: step.args ?? {} }] };
    }
    await step.before?.();
    const id = callId(taken);
    taken += 1;
    const args = { ...step.args, ...givenIn(body, step.given) };
    const through = tools.find(({ name }) => name === "tool_call");
    if (tool === undefined && through !== undefined && known !== undefined)
      return { calls: [{ id, name: through.name, args: { name: known, arguments: args } }] };
    return { calls: [{ id, name: tool?.name ?? known ?? call, space: tool?.space, args }] };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").split("?")[0] ?? "";
    const body = bodyOf(await buffer(request), request.headers["content-encoding"]);
    const api = replies.find(({ path: known }) => request.method === "POST" && known.test(path));
    if (api !== undefined) {
      api.send(response, body, await next(body, toolsOf(body)), path);
      return;
    }
    const verdict = /^\/decide\/(approve|deny)$/.exec(path)?.[1];
    if (verdict !== undefined) await decide(verdict as Verdict);
    const models = [{ id: "stub-model", object: "model", created: 1, owned_by: "stub" }];
    const other = /\/models/.test(path)
      ? { object: "list", data: models, models: [] }
      : { input_tokens: 100, totalTokens: 100 };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(other));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  // Some clients try a WebSocket first, and continue without one.
  server.on("upgrade", (_request, socket) =>
    socket.end("HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\n\r\n"),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    lookedUp,
    isEarly: () => early > 0,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Reads arguments out of the earlier results, as a model does. Numbers are numbers again. */
function givenIn(body: Body, given: RegExp | undefined): object {
  const groups = given?.exec(resultsIn(body).join("\n"))?.groups ?? {};
  return Object.fromEntries(
    Object.entries(groups).map(([name, text]) => [name, /^\d+$/.test(text) ? Number(text) : text]),
  );
}

const isOurs = ({ name, space }: Tool): boolean => /countersign/i.test(`${space} ${name}`);

function found(tools: readonly Tool[], want: string): Tool | undefined {
  const ours = tools.filter(isOurs);
  return [...ours, ...tools].find(
    ({ name }) => name === want || new RegExp(`[^a-z]${want}$`).test(name),
  );
}

function bodyOf(raw: Buffer, encoding: string | undefined): Body {
  const plain = encoding === "gzip" ? gunzipSync(raw) : raw;
  try {
    return JSON.parse(plain.toString()) as Body;
  } catch {
    return {};
  }
}
