import { McpServer, createRequestStateCodec } from "@modelcontextprotocol/server";
import { addContentTools } from "./content-tools.ts";
import { addPrompts } from "./prompts.ts";
import { addQuestionTools } from "./question-tools.ts";
import { addResources } from "./resources.ts";

/** One key for all servers of the process: in the 2026 era each round meets a server of its own. */
const states = createRequestStateCodec<{ step: number }>({ key: "k".repeat(32) });

/**
 * What the official suite's scenarios call: tools, prompts and resources with the names and answers that its descriptions
 * ask for. Only a stand-in for the product's catalog; what serves it is the product's own code.
 */
export function createFixtureServer(): McpServer {
  const server = new McpServer(
    { name: "conformance-fixture", version: "1.0.0" },
    {
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false, subscribe: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: (state, ctx) => states.verify(state, ctx) },
    },
  );
  addContentTools(server);
  addQuestionTools(server, states);
  addPrompts(server);
  addResources(server);
  return server;
}
