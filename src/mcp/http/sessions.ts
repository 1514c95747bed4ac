import { randomUUID } from "node:crypto";
import {
  type McpServer,
  type Server,
  WebStandardStreamableHTTPServerTransport,
  isInitializeRequest,
} from "@modelcontextprotocol/server";
import type { Log } from "../../core/shared/log.ts";
import type { HttpCaller } from "./callers.ts";
import type { HttpLimits } from "./limits.ts";
import { rpcError } from "./rpc-error.ts";

/** The sessions of the 2025 era. They exist in this process only, so clients must return to it. */
export interface Sessions {
  /**
   * Handles a request.
   * @param body the parsed JSON of a POST
   */
  fetch(request: Request, caller: HttpCaller, body: unknown): Promise<Response>;
  /** Notifies the client of every session. A client without a stream sees the change in its next list. */
  toolsChanged(): void;
  /** Ends idle sessions. */
  sweep(): Promise<void>;
  /** Ends streams without running calls. Calls continue. */
  closeStreams(): void;
  close(): Promise<void>;
  size(): number;
}

interface Session {
  caller: HttpCaller;
  server: McpServer | Server;
  transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
  /**
   * Open streams of the client. The references prevent the garbage collection of requests, after which their signals
   * would never abort.
   */
  listening: Set<Request>;
}

/** Creates sessions. Each belongs to the caller that opened it. For other callers, it does not seem to exist. */
export function createSessions(settings: {
  serverFor: (caller: HttpCaller) => McpServer | Server;
  limits: HttpLimits;
  now: () => number;
  log: Log;
}): Sessions {
  const { serverFor, limits, now, log } = settings;
  const sessions = new Map<string, Session>();

  const end = async ([sessionId, { server }]: readonly [string, Session]): Promise<void> => {
    sessions.delete(sessionId);
    await server
      .close()
      .catch((cause: unknown) => log.debug("closing a session failed", { cause }));
  };

  async function open(request: Request, caller: HttpCaller, body: unknown): Promise<Response> {
    const own = [...sessions].filter(
      ([, session]) => session.caller.principal === caller.principal,
    );
    const [oldest] = own.toSorted(([, one], [, other]) => one.usedAt - other.usedAt);
    if (own.length >= limits.sessionsPerPrincipal && oldest !== undefined) await end(oldest);

    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (sessionId) => {
        sessions.set(sessionId, {
          caller,
          server,
          transport,
          usedAt: now(),
          listening: new Set(),
        });
      },
    });
    transport.onclose = () => {
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    const server = serverFor(caller);
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody: body });
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  function listen(session: Session, request: Request): void {
    session.listening.add(request);
    request.signal.addEventListener("abort", () => {
      session.listening.delete(request);
      session.usedAt = now();
    });
  }

  return {
    fetch: async (request, caller, body) => {
      const sessionId = request.headers.get("mcp-session-id");
      if (sessionId === null) {
        return isInitializeRequest(body)
          ? await open(request, caller, body)
          : rpcError(400, "Bad Request: a session id is required; send `initialize` first.");
      }
      const session = sessions.get(sessionId);
      if (session === undefined || !isSame(session.caller, caller)) {
        return rpcError(404, "Session not found", -32_001);
      }
      session.usedAt = now();
      const response = await session.transport.handleRequest(request, { parsedBody: body });
      if (request.method === "GET" && response.ok) listen(session, request);
      return response;
    },
    toolsChanged: () => {
      for (const { server } of sessions.values()) {
        Promise.resolve(server.sendToolListChanged()).catch((cause: unknown) =>
          log.debug("notifying a client of changed tools failed", { cause }),
        );
      }
    },
    sweep: async () => {
      const over = [...sessions].filter(
        ([, { listening, usedAt }]) => listening.size === 0 && now() - usedAt > limits.sessionIdle,
      );
      await Promise.all(over.map(end));
    },
    closeStreams: () => {
      for (const { transport } of sessions.values()) transport.closeStandaloneSSEStream();
    },
    close: async () => void (await Promise.all([...sessions].map(end))),
    size: () => sessions.size,
  };
}

/**
 * Compares callers with their scopes, because a token of the smaller scope must not continue a session of the larger
 * one.
 */
function isSame(one: HttpCaller, other: HttpCaller): boolean {
  return one.principal === other.principal && !one.lowRiskOnly === !other.lowRiskOnly;
}
