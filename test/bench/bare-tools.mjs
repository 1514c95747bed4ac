import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

/** The SDK alone, with one tool that does nothing. */
export function createBareServer() {
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
}
