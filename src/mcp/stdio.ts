import {
  InMemoryTransport,
  type JSONRPCMessage,
  type Server,
  type Transport,
  deserializeMessage,
} from "@modelcontextprotocol/server";
import {
  StdioServerTransport,
  type StdioServerHandle,
  serveStdio,
} from "@modelcontextprotocol/server/stdio";
import type { Log } from "../core/shared/log.ts";
import { markLost, withReason } from "./lost-arguments.ts";
import { MessageLines } from "./message-lines.ts";
import { type PlainCalls, createPlainCalls, isPlainCall } from "./plain-calls.ts";
import { type McpBackend, createMcpServer } from "./server.ts";
import type { WireWatch } from "./watch-wire.ts";

/** The caller over stdio: any program of this OS user. */
const localPrincipal = "local";

export interface StdioServer {
  /** Resolves when no more messages can arrive: the client disconnected or sent unreadable input. */
  closed: Promise<void>;
  close(): Promise<void>;
}

/** Opens MCP over standard input and output, in the era that the client starts. */
export function openStdio(backend: McpBackend, log: Log, watch: WireWatch): StdioServer {
  const wire = new Wire(watch);
  const handle = serveOver(wire, backend, log, (server) => {
    wire.calls = createPlainCalls({
      server,
      answer: (params, ctx) =>
        backend.answer({ server, era: "legacy", principal: localPrincipal, params, ctx }),
      send: (message) => wire.answer(message),
      log,
    });
  });
  return {
    closed: wire.closed,
    close: async () => {
      // Waits, because a response is sent one turn of the event loop after its handler ends.
      await new Promise((resolve) => setImmediate(resolve));
      await handle.close();
    },
  };
}

export interface LinkedServer {
  /** The client's end of the connection. */
  client: Transport;
  close(): Promise<void>;
}

/** Opens MCP to a client in this process, with the same caller as over stdio. */
export function openLinked(backend: McpBackend, log: Log): LinkedServer {
  const [client, server] = InMemoryTransport.createLinkedPair();
  const handle = serveOver(server, backend, log);
  return { client, close: () => handle.close() };
}

/**
 * Serves MCP over a transport.
 * @param initialized is called when a client of the 2025 era has initialized the connection
 */
function serveOver(
  transport: Transport,
  backend: McpBackend,
  log: Log,
  initialized?: (server: Server) => void,
): StdioServerHandle {
  return serveStdio(
    ({ era }) => {
      const server = createMcpServer(backend, { era, principal: localPrincipal });
      if (era === "legacy") server.oninitialized = () => initialized?.(server);
      backend.tools.subscribe(() => {
        server.sendToolListChanged().catch((cause: unknown) => {
          log.warn("notifying the client of changed tools failed", { cause });
        });
      });
      return server;
    },
    { transport, onerror: (error) => log.warn("protocol error", { cause: error }) },
  );
}

/** The SDK's transport, extended by a promise for its end. It reads plain calls without the SDK's validation. */
class Wire extends StdioServerTransport {
  readonly closed: Promise<void>;
  /** Sees each message before the SDK. Undefined until a connection of the 2025 era is initialized. */
  calls: PlainCalls | undefined;
  readonly #ended: () => void;
  readonly #watch: WireWatch;
  readonly #lines = new MessageLines();
  #isClosed = false;

  constructor(watch: WireWatch) {
    super();
    this.#watch = watch;
    let handle: StdioServerTransport["onmessage"];
    // The SDK sets its handler in this property. The watch sees each message first.
    Object.defineProperty(this, "onmessage", {
      get: () => handle,
      set: (given: typeof handle) => {
        handle =
          given &&
          ((message) => {
            watch.received(message);
            if (this.calls?.take(message) === true) return;
            given(markLost(withReason(message)));
          });
      },
    });
    let ended = (): void => undefined;
    this.closed = new Promise((resolve) => (ended = resolve));
    this.#ended = ended;
  }

  /** Replaces the SDK's listener, which validates each message against all forms. */
  override _ondata = (chunk: Buffer): void => {
    try {
      this.#lines.add(chunk, (line) => {
        if (!this.#isClosed) this.#read(line);
      });
    } catch (error) {
      this.#report(error);
      void this.close();
    }
  };

  /** Reads a line. One that is not JSON is skipped, as the SDK does. */
  #read(line: string): void {
    try {
      const message = this.#messageOf(line);
      if (message !== undefined) this.onmessage?.(message);
    } catch (error) {
      this.#report(error);
    }
  }

  #messageOf(line: string): JSONRPCMessage | undefined {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return undefined;
    }
    return this.calls !== undefined && isPlainCall(value) ? value : deserializeMessage(line);
  }

  #report(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    this.#watch.sent(message);
    shareWrite();
    await super.send(message);
  }

  /** Sends the result of a plain call. Unlike `send` it does not wait for a full pipe, because no caller does. */
  answer(message: JSONRPCMessage): void {
    this.#watch.sent(message);
    if (this.#isClosed) return;
    shareWrite();
    process.stdout.write(`${JSON.stringify(message)}\n`);
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    this.calls?.close();
    await super.close();
    this.#ended();
  }
}

/** Lets simultaneous responses share one write. */
function shareWrite(): void {
  const { stdout } = process;
  if (stdout.writableCorked > 0) return;
  stdout.cork();
  process.nextTick(() => stdout.uncork());
}
