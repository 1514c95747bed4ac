import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Log } from "../core/log.ts";
import { type McpDoor, createMcpServer } from "./server.ts";

/** Who calls over stdio: whoever can start this program as this user. */
const localPrincipal = "local";

export interface StdioDoor {
  /** Resolves when the client has closed its end. */
  closed: Promise<void>;
  close(): Promise<void>;
}

/** MCP over standard input and output, in the era that the client opens with. */
export function openStdio(door: McpDoor, log: Log): StdioDoor {
  const closed = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
  const handle = serveStdio(
    ({ era }) => createMcpServer(door, { era, principal: localPrincipal }),
    { onerror: (error) => log.warn("protocol error", { cause: error }) },
  );
  return { closed, close: () => handle.close() };
}
