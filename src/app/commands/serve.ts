import { defineCommand, form } from "../command-line/define-command.ts";
import { envFile, flag, text } from "../command-line/options.ts";
import { openStdio } from "../../mcp/stdio.ts";
import { createLog } from "../platform/log.ts";
import { watchClient } from "../compose/watch-client.ts";
import { createBackend } from "../compose/create-backend.ts";
import { openPolicy } from "../compose/policy/open-policy.ts";
import { startLeaderJobs } from "../leader/serving-leader.ts";
import { openUpstream } from "../upstream/open-upstream.ts";
import { hideStdout } from "../platform/library-output.ts";
import { loadSettings } from "../platform/settings.ts";
import { stopSignal } from "../platform/stop-signal.ts";

export const command = defineCommand({
  about:
    "Serves MCP over standard input and output, for a client that starts this program, or over HTTP at /mcp.",
  forms: [
    form({
      options: {
        http: flag("serve over HTTP, for callers with a token (see HTTP_TOKENS)"),
        host: text("HOST", "listen on this address instead of HTTP_HOST; with --http"),
        port: text("PORT", "listen on this port instead of HTTP_PORT; with --http"),
        trace: text(
          "FILE",
          "record in this file what the client does over stdio, one JSON line for each kind of event",
        ),
        envFile,
      },
      needs: { host: "http", port: "http" },
      conflicts: [["http", "trace"]],
      run: serve,
    }),
  ],
});

/** Serves MCP until the client disconnects or a signal arrives. Over stdio, stdout carries only the protocol. */
async function serve(options: {
  http: boolean;
  host: string | undefined;
  port: string | undefined;
  trace: string | undefined;
  envFile: string | undefined;
}): Promise<number> {
  const { http, host, port, envFile: file } = options;
  if (http) {
    // Imported only for HTTP, to keep the start over stdio fast.
    const { serveHttp } = await import("../compose/serve-http.ts");
    return await serveHttp({ envFile: file, host, port });
  }
  const config = loadSettings({ envFile: file });
  const log = createLog(config.logLevel);
  const upstream = await openUpstream(config, log, file);
  const policy = await openPolicy(config, log, upstream);
  const opened = createBackend(config, log, {
    opensPage: true,
    policy,
    upstream,
    startJobs: startLeaderJobs,
  });
  const watch = watchClient({ file: options.trace, runtime: () => opened.runtime(), log });
  hideStdout();
  const stdio = openStdio(opened.mcp, log, watch);
  await Promise.race([stdio.closed, stopSignal()]);
  await opened.settle();
  await stdio.close();
  await opened.close();
  return 0;
}
