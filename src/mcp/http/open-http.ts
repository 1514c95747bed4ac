import { type ServerResponse, createServer } from "node:http";
import { createConnectionShares } from "../../core/network-limits/connection-shares.ts";
import { type GuessLimit, createGuessLimit } from "../../core/network-limits/guess-limit.ts";
import { isProxy } from "../../core/network-limits/sender-address.ts";
import type { Log } from "../../core/shared/log.ts";
import { type ServerFor, createBothEras } from "./both-eras.ts";
import { type Caller, createProofReader } from "./callers.ts";
import { createGrantedRequests, grantCheckMs } from "./granted-requests.ts";
import { cachedHealth } from "./health.ts";
import { type HttpLimits, httpLimits } from "./limits.ts";
import { failed, refuse } from "./refusals.ts";
import { createRequestAuthorizer } from "./request-authorizer.ts";
import { createRequestShares } from "./request-shares.ts";
import { metadataAddress } from "./resource-metadata.ts";
import { type SignIn, type WebHandler, createRoutes } from "./routes.ts";

export interface HttpSettings {
  host: string;
  /** 0 chooses a free port. */
  port: number;
  hostNames: readonly string[];
  /** Origins whose pages may send MCP requests, beside those of `hostNames`. */
  origins?: readonly string[] | undefined;
  behindProxy: boolean;
  callers: readonly Caller[];
  /** Counts wrong tokens. Shared with other places that accept secrets. */
  guesses?: GuessLimit;
  serverFor: ServerFor;
  /** Registers a function for changes of the tools. Returns a function that unregisters it. */
  onToolsChanged?: (changed: () => void) => () => void;
  /**
   * Handlers by first path segment: `approvals` is served at `/approvals` and below. Handlers get GET, HEAD and POST.
   */
  mounts: Readonly<Record<string, WebHandler>>;
  signIn?: SignIn | undefined;
  /** Resolves with true if calls can be answered. */
  isHealthy: () => Promise<boolean>;
  log: Log;
  limits?: HttpLimits;
}

export interface HttpServer {
  port: number;
  /** Refuses new requests and ends streams without running calls. Calls continue. */
  refuseNew(): Promise<void>;
  /** Resolves when every response is being sent, or after this many milliseconds. */
  drained(withinMs: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves MCP at `/mcp`, `/healthz`, and the mounted handlers.
 * @throws the system's error if it cannot listen
 */
export async function openHttp(settings: HttpSettings): Promise<HttpServer> {
  const { host, callers, serverFor, log, limits = httpLimits } = settings;
  const now = () => performance.now();
  const { signIn } = settings;
  const prove = createProofReader(callers, signIn?.lookUp);
  const guesses = settings.guesses ?? createGuessLimit(now);
  const authorizer = createRequestAuthorizer({
    ...settings,
    prove,
    guesses,
    limits,
    resourceMetadata: signIn && metadataAddress(signIn.protects),
  });
  const eras = createBothEras({ serverFor, limits, now, log });
  const granted = signIn?.stillGranted && createGrantedRequests(signIn.stillGranted, log);
  const sockets = createConnectionShares(limits, (address) =>
    isProxy(address, settings.behindProxy),
  );
  const responses = trackResponses();
  let isStopping = false;
  const answer = createRoutes({
    signIn,
    origins: settings.origins,
    mounts: settings.mounts,
    limits,
    authorizer,
    eras,
    granted,
    sockets,
    shares: createRequestShares(limits, settings.behindProxy),
    isHealthy: cachedHealth(settings.isHealthy, limits, now),
    isStopping: () => isStopping,
  });

  const limited = {
    headersTimeout: limits.headersWithin,
    requestTimeout: limits.requestWithin,
    keepAliveTimeout: limits.keepAlive,
    connectionsCheckingInterval: limits.connectionsCheckedEvery,
    maxHeaderSize: limits.headerBytes,
  };
  const server = createServer(limited, (request, response) => {
    const ended = sockets.began(request.socket);
    response.once("close", ended);
    responses.began(response);
    answer(request, response).catch((cause: unknown) => {
      // The client has disconnected. Logged at debug level, because unauthenticated clients could fill the log.
      if (response.destroyed) return log.debug("an HTTP request was interrupted", { cause });
      log.error("an HTTP request failed inside the server", { cause });
      if (response.headersSent) response.destroy();
      else refuse(response, failed);
    });
  });
  // Node silently drops headers beyond a number, and the proxy's `X-Forwarded-For` comes last. `headerBytes` limits
  // them instead.
  server.maxHeadersCount = 0;
  server.maxConnections = limits.connections;
  server.on("connection", (socket) => sockets.opened(socket));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.port, host, () => resolve());
  });
  server.on("error", (cause) => log.error("the HTTP server failed", { cause }));
  const unsubscribe = settings.onToolsChanged?.(() => eras.toolsChanged());
  const sweeping = setInterval(() => void eras.sweep(), limits.sessionSweepEvery);
  const checkingGrants = setInterval(() => void granted?.endRevoked(), grantCheckMs);
  const address = server.address();

  return {
    port: typeof address === "object" && address !== null ? address.port : settings.port,
    refuseNew: async () => {
      isStopping = true;
      server.close();
      await eras.closeStreams();
    },
    drained: (withinMs) => responses.drained(withinMs),
    close: async () => {
      clearInterval(sweeping);
      clearInterval(checkingGrants);
      unsubscribe?.();
      await eras.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Tracks the responses that are being made. */
function trackResponses() {
  const open = new Set<ServerResponse>();
  let whenDrained: (() => void) | undefined;
  return {
    began: (response: ServerResponse): void => {
      open.add(response);
      response.once("close", () => {
        open.delete(response);
        if (open.size === 0) whenDrained?.();
      });
    },
    /** Resolves when there is none, or after this many milliseconds. */
    drained: (withinMs: number): Promise<void> =>
      new Promise((resolve) => {
        const limit = setTimeout(resolve, withinMs);
        whenDrained = () => {
          clearTimeout(limit);
          resolve();
        };
        if (open.size === 0) whenDrained();
      }),
  };
}
