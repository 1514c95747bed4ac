// The built server, over stdio or with `--http`, with a list of tools that a signal shortens by its first entry, as a
// reloaded policy would.
import { createLog } from "../../dist/app/log.js";
import { openDoor } from "../../dist/app/open-door.js";
import { loadSettings } from "../../dist/app/settings.js";
import { tokenHash } from "../../dist/mcp/http/callers.js";
import { openHttp } from "../../dist/mcp/http/open-http.js";
import { createMcpServer } from "../../dist/mcp/server.js";
import { openStdio } from "../../dist/mcp/stdio.js";

const config = loadSettings();
const log = createLog(config.logLevel);
const opened = openDoor(config, log);
const { door } = opened;
process.on("SIGUSR2", () => door.tools.replace(door.tools.current().slice(1)));

if (process.argv.includes("--http")) {
  const http = await openHttp({
    host: "127.0.0.1",
    port: 0,
    hostNames: ["127.0.0.1"],
    behindProxy: false,
    callers: [{ principal: "alice", tokenHash: tokenHash("alice-token-0123456789") }],
    serverFor: (connection) => createMcpServer(door, connection),
    onToolsChanged: (changed) => door.tools.subscribe(changed),
    mounts: {},
    isHealthy: () => Promise.resolve(true),
    log,
  });
  console.error(`MCP over HTTP at http://127.0.0.1:${http.port}/mcp`);
} else {
  const stdio = openStdio(door, log);
  await stdio.closed;
  await opened.settle();
  await stdio.close();
  await opened.close();
}
