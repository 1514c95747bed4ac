import { parseArgs } from "node:util";
import { openStdio } from "../../mcp/stdio.ts";
import { createLog } from "../platform/log.ts";
import { createBackend } from "../compose/create-backend.ts";
import { openPolicy } from "../compose/policy/open-policy.ts";
import { loadSettings } from "../platform/settings.ts";
import { stopSignal } from "../platform/stop-signal.ts";

export const usage = `Usage: countersign serve [--env-file PATH]
       countersign serve --http [--host HOST] [--port PORT] [--env-file PATH]

MCP over standard input and output, for a client that starts this program itself, or over HTTP at /mcp.

  --http           listen for clients, each with a token (see HTTP_TOKENS)
  --host HOST      instead of HTTP_HOST
  --port PORT      instead of HTTP_PORT
  --env-file PATH  read the settings from this file instead of .env in the data directory`;

/** MCP until the client hangs up or a signal comes. Over stdio nothing but protocol goes to stdout. */
export async function run(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      http: { type: "boolean", default: false },
      host: { type: "string" },
      port: { type: "string" },
      "env-file": { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const { http, host, port, "env-file": envFile } = values;
  const listens = host !== undefined || port !== undefined;
  if (values.help || (listens && !http)) {
    (values.help ? console.log : console.error)(usage);
    return values.help ? 0 : 2;
  }
  if (http) {
    // Only here: over stdio a start is felt, and needs nothing of it.
    const { serveHttp } = await import("../compose/serve-http.ts");
    return await serveHttp({ envFile, host, port });
  }
  const config = loadSettings({ envFile });
  const log = createLog(config.logLevel);
  const policy = await openPolicy(config, log);
  const opened = createBackend(config, log, { opensPage: true, policy });
  const stdio = openStdio(opened.mcp, log);
  await Promise.race([stdio.closed, stopSignal()]);
  await opened.settle();
  await stdio.close();
  await opened.close();
  return 0;
}
