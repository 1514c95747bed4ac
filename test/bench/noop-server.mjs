// The whole product, pipeline, audit log and all, with one more tool that does nothing.
import { createLog } from "../../dist/app/log.js";
import { openDoor } from "../../dist/app/open-door.js";
import { loadSettings } from "../../dist/app/settings.js";
import { openStdio } from "../../dist/mcp/stdio.js";
import { tools } from "./noop-tool.mjs";

const config = loadSettings();
const log = createLog(config.logLevel);
const service = openDoor(config, log, tools);
const stdio = openStdio(service.door, log);
await stdio.closed;
await service.settle();
await stdio.close();
await service.close();
