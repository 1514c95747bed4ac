// Your own tools, with the same risks and approvals. In servers.json of the data directory:
//   { "mcpServers": { "mine": { "module": "./my-tools.js" } } }
// Then: countersign servers review mine
import { appendFile } from "node:fs/promises";
import { defineTool } from "countersign/tools";

export const countWords = defineTool({
  name: "count_words",
  title: "Count words",
  description: "Count the words of a text.",
  risk: "low",
  input: {
    type: "object",
    properties: { text: { type: "string", description: "Any text" } },
    required: ["text"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: { words: { type: "integer" } },
    required: ["words"],
  },
  execute: ({ text }) => {
    const words = String(text).match(/\S+/g)?.length ?? 0;
    return { text: `${words} words`, data: { words } };
  },
});

export const addToList = defineTool({
  name: "add_to_list",
  title: "Add to the shopping list",
  description: "Add a line to the shopping list, which other people read.",
  risk: "high",
  input: {
    type: "object",
    properties: { line: { type: "string", maxLength: 200 } },
    required: ["line"],
    additionalProperties: false,
  },
  execute: async ({ line }) => {
    await appendFile("shopping.txt", `${String(line)}\n`);
    return `Added: ${String(line)}`;
  },
});
