import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { text } from "node:stream/consumers";
import type { Home } from "./home.ts";
import { listenLocally } from "../fakes/listen-locally.ts";

interface Message {
  id: number;
  method: string;
  params?: { name?: string; arguments?: Record<string, unknown> };
}

interface Asked {
  message: Message;
  request: IncomingMessage;
  response: ServerResponse;
  /** Answers with one JSON-RPC message. */
  reply: (fields: object) => void;
}

/** The server's reaction to a request, instead of the ordinary response. */
type Conduct = (asked: Asked) => void;

const tool = (name: string, annotations: object) => ({
  name,
  description: name,
  inputSchema: { type: "object", properties: { how: { type: "string" } } },
  annotations,
});

/** The tools of the server. `act` reads. */
export const httpTools = [tool("act", { readOnlyHint: true }), tool("change", {})];

/**
 * Starts a server of protocol 2025-11-25 over HTTP, written by hand, with the tools `act` and `change`. The argument
 * `how` of a call names its reaction.
 */
export async function startHttpUpstream(
  home: Home,
  conducts: Record<string, Conduct> = {},
): Promise<{
  url: string;
  /** The methods that were asked, calls with their `how`. */
  asked: string[];
  headers: IncomingMessage["headers"][];
  /** Replaces the response to a request. Returns false for the ordinary one. */
  intercept: { by: (asked: Asked) => boolean };
  /** Answers a GET of the address, which asks for a stream of events. */
  get: { by: (request: IncomingMessage, response: ServerResponse) => void };
  /** Documents by their path. */
  pages: Record<string, object>;
  /** Answers a GET of a path. */
  documents: Record<string, (request: IncomingMessage, response: ServerResponse) => void>;
  origin: string;
}> {
  const asked: string[] = [];
  const headers: IncomingMessage["headers"][] = [];
  const pages: Record<string, object> = {};
  const documents: Awaited<ReturnType<typeof startHttpUpstream>>["documents"] = {};
  const get = {
    by: (_request: IncomingMessage, response: ServerResponse): void =>
      void response.writeHead(404).end(),
  };
  const intercept = { by: (_asked: Asked): boolean => false };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      headers.push(request.headers);
      const page = pages[request.url ?? ""];
      if (page !== undefined) {
        response.writeHead(200, { "content-type": "application/json" });
        return response.end(JSON.stringify(page));
      }
      const document = Object.entries(documents).find(([path]) => request.url?.startsWith(path));
      if (document !== undefined) return document[1](request, response);
      if (request.method === "GET" && request.url === "/mcp") return get.by(request, response);
      if (request.method !== "POST" || request.url?.startsWith("/.") === true)
        return response.writeHead(request.method === "GET" ? 404 : 405).end();
      const isForm = request.headers["content-type"]?.includes("form") === true;
      const message = (isForm ? {} : JSON.parse(body)) as Message;
      const { how } = message.params?.arguments ?? {};
      const what = typeof how === "string" ? `${message.params?.name} ${how}` : message.method;
      asked.push(what ?? request.url ?? "");
      const reply = (fields: object): void => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...fields }));
      };
      const given: Asked = { message, request, response, reply };
      if (intercept.by(given)) return undefined;
      if (!("id" in message)) return response.writeHead(202).end();
      return (typeof how === "string" ? conducts[how] : undefined)?.(given) ?? ordinary(given);
    });
  });
  const origin = await listenLocally(server, (stop) => home.later(stop));
  return { url: `${origin}/mcp`, asked, headers, intercept, get, pages, documents, origin };
}

function ordinary({ message: { method }, response, reply }: Asked): void {
  if (response.headersSent || response.destroyed) return;
  switch (method) {
    case "initialize":
      reply({
        result: {
          protocolVersion: "2025-11-25",
          serverInfo: { name: "by hand", version: "1" },
          capabilities: { tools: {} },
        },
      });
      return;
    case "tools/list":
      reply({ result: { tools: httpTools } });
      return;
    case "tools/call":
      reply({ result: { content: [{ type: "text", text: "fine" }] } });
      return;
    default:
      reply({ error: { code: -32_601, message: "no such method" } });
  }
}
