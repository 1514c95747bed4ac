// The whole product, pipeline, audit log and all, with one more tool that does nothing.
import { z } from "zod";
import { createLog } from "../../dist/app/log.js";
import { openDoor } from "../../dist/app/open-door.js";
import { loadSettings } from "../../dist/app/settings.js";
import { openStdio } from "../../dist/mcp/stdio.js";
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

const config = loadSettings();
const log = createLog(config.logLevel);
const service = openDoor(config, log, [...catalog, noOp]);
const stdio = openStdio(service.door, log);
await stdio.closed;
await service.settle();
await stdio.close();
await service.close();
