// An upstream server of the SDK alone, with as many tools as its argument says. The address in PORT, if any, is HTTP.
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { Server, createMcpHandler } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const tools = Array.from({ length: Number(process.argv[2]) }, (_each, number) => ({
  name: `tool_${number}`,
  description: `Answers with the word that it is given. It is tool ${number} of many.`,
  inputSchema: {
    type: "object",
    properties: { word: { type: "string", description: "Any word" } },
    required: ["word"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
}));

function create() {
  const server = new Server({ name: "many", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools }));
  server.setRequestHandler("tools/call", ({ params }) => ({
    content: [{ type: "text", text: params.arguments.word }],
  }));
  return server;
}

const { PORT: port } = process.env;
if (port === undefined) serveStdio(create);
else {
  const handle = toNodeHandler(createMcpHandler(create));
  const http = createServer((request, response) => void handle(request, response));
  http.listen(Number(port), "127.0.0.1");
}
