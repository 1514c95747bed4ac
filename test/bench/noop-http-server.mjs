// The whole product over HTTP, pipeline, audit log and all, with one more tool that does nothing.
import { createLog } from "../../dist/app/platform/log.js";
import { createBackend } from "../../dist/app/compose/create-backend.js";
import { loadSettings } from "../../dist/app/platform/settings.js";
import { tokenHash } from "../../dist/mcp/http/callers.js";
import { openHttp } from "../../dist/mcp/http/open-http.js";
import { createMcpServer } from "../../dist/mcp/server.js";
import { extra } from "./noop-tool.mjs";

// Counted as always, but for more calls than a setting allows.
const budget = { callsPerMinute: 1e9, callsPerTurn: 1e9, highPerTurn: 1e9 };
const config = { ...loadSettings(), budget };
const log = createLog(config.logLevel);
const { mcp } = createBackend(config, log, { extra });
const http = await openHttp({
  host: "127.0.0.1",
  port: 0,
  hostNames: ["127.0.0.1"],
  behindProxy: false,
  callers: ["alice", "bob", "bench"].map((principal) => ({
    principal,
    tokenHash: tokenHash(`${principal}-token-0123456789`),
  })),
  serverFor: (connection) => createMcpServer(mcp, connection),
  mounts: {},
  isHealthy: () => Promise.resolve(true),
  log,
});
console.error(`MCP over HTTP at http://127.0.0.1:${http.port}/mcp`);
