import { vi } from "vitest";
import type { Home } from "./home.ts";
import { type HttpServer, type Principal, bearer, startHttpHere } from "./http-server.ts";
import { type RawServer, type RpcMessage, rpcMessage } from "./raw-message.ts";

export interface RawHttpOptions {
  env?: Record<string, string>;
  /** A server that already runs. Without it one is started. */
  at?: HttpServer;
  as?: Principal;
}

/** Does the same as `startRaw`, with each message as an HTTP request of its own. */
export function startRawHttp(
  home: Home,
  { env, at, as: principal = "alice" }: RawHttpOptions = {},
): RawServer & { sessionId(): string | undefined } {
  const server = at ?? startHttpHere(home, { ...(env && { env }) });
  const messages: RpcMessage[] = [];
  const said = { stdout: "", stderr: "" };
  const gone = new AbortController();
  home.later(() => gone.abort());
  let lastId = 0;
  let sessionId: string | undefined;

  const headersOf = (message: { method?: string; params?: unknown }): Record<string, string> => {
    const params = (message.params ?? {}) as Record<string, Record<string, unknown>>;
    const version = params["_meta"]?.["io.modelcontextprotocol/protocolVersion"];
    return {
      ...bearer(principal),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(sessionId !== undefined && { "mcp-session-id": sessionId }),
      ...(typeof version === "string" && {
        "mcp-protocol-version": version,
        "mcp-method": message.method ?? "",
        ...(typeof params["name"] === "string" && { "mcp-name": params["name"] }),
      }),
    };
  };

  const hear = (text: string): void => {
    messages.push(rpcMessage.parse(JSON.parse(text)));
  };

  async function read(response: Response): Promise<void> {
    sessionId ??= response.headers.get("mcp-session-id") ?? undefined;
    const streams = response.headers.get("content-type")?.startsWith("text/event-stream");
    let rest = "";
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      said.stdout += text;
      rest += text;
      const events = streams ? rest.split("\n\n") : [];
      rest = events.pop() ?? rest;
      for (const event of events) {
        const data = /^data: (.+)$/m.exec(event)?.[1];
        if (data !== undefined) hear(data);
      }
    }
    if (!streams && rest !== "") hear(rest);
  }

  async function post(message: { method?: string; params?: unknown }): Promise<void> {
    const response = await fetch(await server.url, {
      method: "POST",
      headers: headersOf(message),
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      signal: gone.signal,
    });
    await read(response);
  }

  /** Opens the stream on which a 2025 client receives messages that belong to none of its requests. */
  async function listen(): Promise<void> {
    const headers = { ...headersOf({}), accept: "text/event-stream" };
    await read(await fetch(await server.url, { headers, signal: gone.signal }));
  }

  const failed = (error: unknown): void => {
    if (!gone.signal.aborted) said.stderr += String(error);
  };
  return {
    messages,
    // The server's own output is on its stderr. The client's answers count as stdout.
    get said() {
      return { stdout: said.stdout, stderr: said.stderr + server.said.stderr };
    },
    notify: (method, params) => {
      post({ method, params }).catch(failed);
      if (method === "notifications/initialized") listen().catch(failed);
    },
    reply: (id, result) => void post({ id, result } as object).catch(failed),
    request: async (method, params) => {
      const id = (lastId += 1);
      await post({ id, method, params } as object);
      // Answered on this stream, or refused as a whole and then without an id.
      return await vi.waitFor(() => {
        const own = messages.find((message) => message.method === undefined && message.id === id);
        const reply = own ?? messages.findLast(({ error }) => error !== undefined);
        if (reply === undefined) throw new Error("no reply");
        return reply;
      }, 30_000);
    },
    hangUp: () => {
      gone.abort();
      if (at === undefined) void server.stop();
    },
    ended: server.ended,
    sessionId: () => sessionId,
  };
}
