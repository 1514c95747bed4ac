import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Log } from "../core/shared/log.ts";
import { type McpBackend, createMcpServer } from "./server.ts";

/** Who calls over stdio: whoever can start this program as this user. */
const localPrincipal = "local";

export interface StdioServer {
  /** Resolves when nothing can be received any more: the client hung up, or sent what nobody can read. */
  closed: Promise<void>;
  close(): Promise<void>;
}

/** MCP over standard input and output, in the era that the client opens with. */
export function openStdio(backend: McpBackend, log: Log): StdioServer {
  const wire = new Wire();
  const handle = serveStdio(
    ({ era }) => {
      const server = createMcpServer(backend, { era, principal: localPrincipal });
      backend.tools.subscribe(() => {
        server.sendToolListChanged().catch((cause: unknown) => {
          log.warn("the client was not told that the tools changed", { cause });
        });
      });
      return server;
    },
    { transport: wire, onerror: (error) => log.warn("protocol error", { cause: error }) },
  );
  return {
    closed: wire.closed,
    close: async () => {
      // An answer is on its way a turn of the event loop after its handler is done.
      await new Promise((resolve) => setImmediate(resolve));
      await handle.close();
    },
  };
}

/** The SDK's own, which closes itself for several reasons and tells nobody but its server. */
class Wire extends StdioServerTransport {
  readonly closed: Promise<void>;
  readonly #ended: () => void;

  constructor() {
    super();
    let ended = (): void => undefined;
    this.closed = new Promise((resolve) => (ended = resolve));
    this.#ended = ended;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#ended();
  }
}
