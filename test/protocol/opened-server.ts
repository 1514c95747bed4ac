import { type IncomingHttpHeaders, request } from "node:http";
import { McpServer } from "@modelcontextprotocol/server";
import type { TestContext } from "vitest";
import { tokenHash } from "../../src/mcp/http/callers.ts";
import { type HttpLimits, httpLimits } from "../../src/mcp/http/limits.ts";
import { type HttpSettings, openHttp } from "../../src/mcp/http/open-http.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { bearer, tokens } from "./http-server.ts";

export const accept = "application/json, text/event-stream";
/** Headers of a request that is let in. */
export const good = { ...bearer("alice"), "content-type": "application/json", accept };
const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  },
});

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * Serves MCP over HTTP with servers that can do nothing. The number of created servers shows which requests were
 * accepted.
 */
export async function openServer(
  t: TestContext,
  settings: Partial<Omit<HttpSettings, "limits">> & { limits?: Partial<HttpLimits> } = {},
) {
  const made: string[] = [];
  const http = await openHttp({
    host: "127.0.0.1",
    port: 0,
    hostNames: ["localhost", "127.0.0.1", "[::1]", "mcp.example.org"],
    behindProxy: false,
    callers: [
      { principal: "alice", tokenHash: tokenHash(tokens.alice) },
      { principal: "bob", tokenHash: tokenHash(tokens.bob) },
    ],
    serverFor: ({ principal, era }) => {
      made.push(`${principal} ${era}`);
      return new McpServer({ name: "nothing", version: "1" }, { capabilities: { tools: {} } });
    },
    mounts: {},
    isHealthy: () => Promise.resolve(true),
    log: quietLog,
    ...settings,
    limits: { ...httpLimits, ...settings.limits },
  });
  t.onTestFinished(() => http.close());

  const send = (
    { method = "POST", path = "/mcp", headers = good }: Sending = {},
    body: string | readonly string[] = initialize,
  ): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const sent = request(
        { port: http.port, host: "127.0.0.1", method, path, headers, agent: false },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
          response.on("end", () => {
            const { statusCode: status = 0, headers: got } = response;
            resolve({ status, headers: got, body: text });
          });
        },
      );
      sent.on("error", reject);
      if (method === "POST" || "content-length" in headers)
        for (const chunk of [body].flat()) sent.write(chunk);
      sent.end();
    });
  return { http, send, made };
}

interface Sending {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
}
