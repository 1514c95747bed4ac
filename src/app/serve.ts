import { parseArgs } from "node:util";
import { openStdio } from "../mcp/stdio.ts";
import { createLog } from "./log.ts";
import { openDoor } from "./open-door.ts";
import { createPageWindow } from "./page-window.ts";
import { loadSettings } from "./settings.ts";
import { stopSignal } from "./stop-signal.ts";

const usage = `Usage: countersign serve [--env-file PATH]

MCP over standard input and output, for a client that starts this program itself.

  --env-file PATH  read the settings from this file instead of .env in the data directory`;

/** MCP over stdio until the client hangs up or a signal comes. Nothing but protocol goes to stdout. */
export async function run(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: { "env-file": { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const config = loadSettings({ envFile: values["env-file"] });
  const log = createLog(config.logLevel);
  const opened = openDoor(config, log, undefined, () => page.show());
  const page = createPageWindow(config, opened.stores, log);
  const stdio = openStdio(opened.door, log);
  await Promise.race([stdio.closed, stopSignal()]);
  await opened.settle();
  await stdio.close();
  await page.close();
  await opened.close();
  return 0;
}
