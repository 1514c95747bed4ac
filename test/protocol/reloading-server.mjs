// The built server, over stdio or with `--http`, with a list of tools that a signal shortens by its first entry, as a
// reloaded policy would.
import { createLog } from "../../dist/app/platform/log.js";
import { createBackend } from "../../dist/app/compose/create-backend.js";
import { loadSettings } from "../../dist/app/platform/settings.js";
import { tokenHash } from "../../dist/mcp/http/callers.js";
import { openHttp } from "../../dist/mcp/http/open-http.js";
import { createMcpServer } from "../../dist/mcp/server.js";
import { openStdio } from "../../dist/mcp/stdio.js";

const config = loadSettings();
const log = createLog(config.logLevel);
const opened = createBackend(config, log);
const { mcp } = opened;
process.on("SIGUSR2", () => mcp.tools.replace(mcp.tools.current().slice(1)));

if (process.argv.includes("--http")) {
  const http = await openHttp({
    host: "127.0.0.1",
    port: 0,
    hostNames: ["127.0.0.1"],
    behindProxy: false,
    callers: [{ principal: "alice", tokenHash: tokenHash("alice-token-0123456789") }],
    serverFor: (connection) => createMcpServer(mcp, connection),
    onToolsChanged: (changed) => mcp.tools.subscribe(changed),
    mounts: {},
    isHealthy: () => Promise.resolve(true),
    log,
  });
  console.error(`MCP over HTTP at http://127.0.0.1:${http.port}/mcp`);
} else {
  const stdio = openStdio(mcp, log, { received: () => undefined, sent: () => undefined });
  await stdio.closed;
  await opened.settle();
  await stdio.close();
  await opened.close();
}
