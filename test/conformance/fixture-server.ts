import { McpServer, createRequestStateCodec } from "@modelcontextprotocol/server";
import { addContentTools } from "./content-tools.ts";
import { addPrompts } from "./prompts.ts";
import { addQuestionTools } from "./question-tools.ts";
import { addResources } from "./resources.ts";

/** One key for all servers of the process: in the 2026 era each round meets a server of its own. */
const states = createRequestStateCodec<{ step: number }>({ key: "k".repeat(32) });

/**
 * Creates the tools, prompts and resources that the official suite's scenarios call, with the names and answers that
 * its descriptions require. They replace the product's catalog. All other code is the product's own.
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
