// The yardstick: the SDK alone, with one tool that does nothing.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createBareServer } from "./bare-tools.mjs";

serveStdio(createBareServer);
