// An upstream MCP server with what AgentDojo's workspace has and Countersign does not: mail that is sent or deleted, and
// files that are shared. It notes each call in its working directory.
import { appendFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const text = z.string();
const tools = {
  send_email: z.object({ recipients: z.array(text), subject: text, body: text }),
  delete_email: z.object({ email_id: text }),
  share_file: z.object({ file_id: text, email: text, permission: text }),
  add_calendar_event_participants: z.object({ event_id: text, participants: z.array(text) }),
};

serveStdio(() => {
  const server = new McpServer({ name: "office", version: "1.0.0" });
  for (const [name, inputSchema] of Object.entries(tools))
    server.registerTool(name, { description: name, inputSchema }, (args) => {
      appendFileSync("received.log", `${name} ${JSON.stringify(args)}\n`);
      return { content: [{ type: "text", text: "Done." }] };
    });
  return server;
});
