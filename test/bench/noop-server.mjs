// The whole product, pipeline, audit log and all, with one more tool that does nothing.
import { createLog } from "../../dist/app/platform/log.js";
import { createBackend } from "../../dist/app/compose/create-backend.js";
import { openPolicy } from "../../dist/app/compose/policy/open-policy.js";
import { loadSettings } from "../../dist/app/platform/settings.js";
import { openStdio } from "../../dist/mcp/stdio.js";
import { extra } from "./noop-tool.mjs";

// Counted as always, but for more calls than a setting allows.
const budget = { callsPerMinute: 1e9, callsPerTurn: 1e9, highPerTurn: 1e9 };
const config = { ...loadSettings(), budget };
const log = createLog(config.logLevel);
const policy = await openPolicy(config, log);
const service = createBackend(config, log, { extra, policy });
const stdio = openStdio(service.mcp, log, { received: () => undefined, sent: () => undefined });
await stdio.closed;
await service.settle();
await stdio.close();
await service.close();
