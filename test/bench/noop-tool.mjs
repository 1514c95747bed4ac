import { z } from "zod";
import { defineTool } from "../../dist/ports/define-tool.js";
import { listing } from "../../dist/core/tool/catalog.js";

const noOp = defineTool({
  name: "no_op",
  title: "Do nothing",
  description: "Answers at once.",
  risk: "low",
  operation: "reads",
  needs: [],
  input: z.strictObject({ word: z.string().describe("Any word") }),
  output: z.object({ word: z.string().describe("The same word") }),
  execute: ({ word }) => Promise.resolve({ word }),
  text: ({ word }) => ({ facts: word }),
  describe: () => "did nothing",
});

/** One more tool, beside the product's, that does nothing. */
export const extra = [{ tool: noOp, listing: listing(noOp) }];
