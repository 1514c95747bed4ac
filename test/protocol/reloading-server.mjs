// The built server over stdio, with a list of tools that a signal shortens by its first entry, as a reloaded policy would.
import { createLog } from "../../dist/app/log.js";
import { openDoor } from "../../dist/app/open-door.js";
import { loadSettings } from "../../dist/app/settings.js";
import { openStdio } from "../../dist/mcp/stdio.js";

const config = loadSettings();
const log = createLog(config.logLevel);
const service = openDoor(config, log);
const { door } = service;
const stdio = openStdio(door, log);
process.on("SIGUSR2", () => door.tools.replace(door.tools.current().slice(1)));
await stdio.closed;
await service.settle();
await stdio.close();
await service.close();
