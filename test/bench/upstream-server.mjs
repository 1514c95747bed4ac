// The whole product with its upstream servers, and a budget for more calls than a setting allows.
import { createBackend } from "../../dist/app/compose/create-backend.js";
import { openPolicy } from "../../dist/app/compose/policy/open-policy.js";
import { createLog } from "../../dist/app/platform/log.js";
import { loadSettings } from "../../dist/app/platform/settings.js";
import { openUpstream } from "../../dist/app/upstream/open-upstream.js";
import { openStdio } from "../../dist/mcp/stdio.js";

const budget = { callsPerMinute: 1e9, callsPerTurn: 1e9, highPerTurn: 1e9 };
const config = { ...loadSettings(), budget };
const log = createLog(config.logLevel);
const upstream = await openUpstream(config, log);
const policy = await openPolicy(config, log, upstream);
const service = createBackend(config, log, { policy, upstream });
const stdio = openStdio(service.mcp, log, { received: () => undefined, sent: () => undefined });
await stdio.closed;
await service.settle();
await stdio.close();
await service.close();
