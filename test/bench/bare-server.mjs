// The yardstick: the SDK alone, with one tool that does nothing.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

serveStdio(() => {
  const server = new McpServer({ name: "bare", version: "0.0.0" });
  server.registerTool(
    "no_op",
    {
      title: "Do nothing",
      description: "Answers at once.",
      inputSchema: z.strictObject({ word: z.string().describe("Any word") }),
      outputSchema: z.object({ word: z.string().describe("The same word") }),
    },
    ({ word }) => ({ content: [{ type: "text", text: word }], structuredContent: { word } }),
  );
  return server;
});
