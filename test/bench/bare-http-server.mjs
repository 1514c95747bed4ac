// The yardstick over HTTP: the SDK alone, each era served as its documentation does it, without any check.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { createBareServer } from "./bare-tools.mjs";

const modern = toNodeHandler(createMcpHandler(createBareServer, { legacy: "reject" }));
/** @type {Map<string, NodeStreamableHTTPServerTransport>} */
const sessions = new Map();

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
async function legacy(request, response) {
  const known = sessions.get(String(request.headers["mcp-session-id"]));
  if (known) return await known.handleRequest(request, response);
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (sessionId) => void sessions.set(sessionId, transport),
  });
  await createBareServer().connect(transport);
  await transport.handleRequest(request, response);
}

const server = createServer((request, response) => {
  const isModern = request.headers["mcp-protocol-version"] === "2026-07-28";
  void (isModern ? modern : legacy)(request, response);
});
server.listen(0, "127.0.0.1", () => {
  console.error(`MCP over HTTP at http://127.0.0.1:${server.address().port}/mcp`);
});
