import { z } from "zod";
import { defineTool } from "../../dist/ports/define-tool.js";
import { catalog } from "../../dist/tools/catalog.js";

const noOp = defineTool({
  name: "no_op",
  title: "Do nothing",
  description: "Answers at once.",
  risk: "low",
  does: "reads",
  needs: [],
  input: z.strictObject({ word: z.string().describe("Any word") }),
  output: z.object({ word: z.string().describe("The same word") }),
  execute: ({ word }) => Promise.resolve({ word }),
  text: ({ word }) => ({ facts: word }),
  sentence: () => "did nothing",
});

/** The product's catalog and one more tool that does nothing. */
export const tools = [...catalog, noOp];
