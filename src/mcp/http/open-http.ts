import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { createConnectionShares } from "../../core/network-limits/connection-shares.ts";
import { type GuessLimit, createGuessLimit } from "../../core/network-limits/guess-limit.ts";
import type { Log } from "../../core/shared/log.ts";
import { networksOf } from "../../core/network-limits/network.ts";
import { addressOf, isProxy } from "../../core/network-limits/sender-address.ts";
import { createShares } from "../../core/network-limits/shares.ts";
import { type ServerFor, createBothEras } from "./both-eras.ts";
import { type Caller, type HttpCaller, type TokenLookup, createProofReader } from "./callers.ts";
import { answerPage } from "./cross-origin.ts";
import { readBody, sendResponse, webRequest } from "./exchange.ts";
import {
  type Pages,
  type RequestAuthorizer,
  type Refusal,
  createRequestAuthorizer,
  tooLarge,
} from "./request-authorizer.ts";
import { type GrantLookup, createGrantedRequests, grantCheckMs } from "./granted-requests.ts";
import { type HttpLimits, httpLimits } from "./limits.ts";
import {
  type ProtectedResource,
  metadataAddress,
  resourceMetadata,
  resourcePaths,
} from "./resource-metadata.ts";
import { rpcErrorBody } from "./rpc-error.ts";

/** Another handler with the types of the Fetch standard. It authenticates its own requests. */
export interface WebHandler {
  /**
   * Handles a request.
   * @param sender the client address, for counting wrong secrets
   * @param proved called with a name when the request is authenticated
   */
  fetch(request: Request, sender: string, proved: (who: string) => void): Promise<Response>;
}

/** The sign-in of clients. An authorization server of our own reads its own requests. */
export interface SignIn {
  lookUp: TokenLookup;
  /** Undefined if another server issues the tokens, because its grants are unknown here. */
  stillGranted?: GrantLookup | undefined;
  protects: ProtectedResource;
  /** Our own authorization server. Undefined if another one issues the tokens. */
  server?:
    | {
        owns(path: string): boolean;
        /** Returns whether pages of any origin may send requests to this path, because it uses no cookie. */
        isOpen(path: string): boolean;
        /** @param sender the client address, for counting wrong secrets */
        answer(request: IncomingMessage, response: ServerResponse, sender: string): Promise<void>;
      }
    | undefined;
}

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

/** Restrictions for browsers. A mounted handler's own headers override them. */
const securityHeaders: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

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
  const mounts = new Map(Object.entries(settings.mounts));
  const healthy = lately(settings.isHealthy, limits, now);
  const sockets = createConnectionShares(limits, (address) =>
    isProxy(address, settings.behindProxy),
  );
  const unauthenticated = createShares({
    total: limits.unauthenticatedRequests,
    each: [limits.unauthenticatedRequestsPerNetwork, limits.unauthenticatedRequestsPerWiderNetwork],
  });
  const pagesAt = (path: string): Pages => {
    if (signIn && (resourcePaths.includes(path) || signIn.server?.isOpen(path))) return "any";
    const areNamed = signIn !== undefined || (settings.origins ?? []).length > 0;
    return path === "/mcp" && areNamed ? "clients" : "own";
  };
  const underWay = new Map<string, number>();
  const answering = new Set<ServerResponse>();
  let stopping = false;
  let whenDrained: (() => void) | undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    const [asked = "/"] = (request.url ?? "/").split("?", 1);
    // If a person enters the address with a slash at the end, the client adds it to every address.
    const path = signIn && asked.length > 1 ? asked.replace(/\/$/, "") : asked;
    if (path === "/healthz") return report(response, !stopping && (await healthy()));
    if (stopping) return refuse(response, stoppingNow);
    const pages = pagesAt(path);
    const foreign = authorizer.refuseSource(request.headers, pages);
    if (foreign) return refuse(response, foreign);
    if (pages !== "own" && answerPage(request, response)) return;
    const mounted = mounts.get(path.split("/", 2)[1] ?? "");
    if (mounted) return await answerMounted(mounted, request, response);
    if (signIn && resourcePaths.includes(path)) {
      if (!["GET", "HEAD"].includes(request.method ?? "")) return refuse(response, onlyRead);
      const headers = { "content-type": "application/json" };
      response.writeHead(200, headers).end(resourceMetadata(signIn.protects));
      return;
    }
    if (signIn?.server?.owns(path)) return await answerSignIn(signIn.server, request, response);
    if (path !== "/mcp") return refuse(response, { status: 404, message: "Not found." });
    const caller = await authorize(authorizer, request);
    if (!("principal" in caller)) return refuse(response, caller);
    const { principal, grantId } = caller;
    if (grantId !== undefined) granted?.began(grantId, response);
    sockets.proved(request.socket, `caller ${principal}`);
    if (!takeRequest(principal, response)) return refuse(response, tooMany(limits));
    const body = await readBody(request, limits.bodyBytes);
    if (body === undefined) return refuse(response, tooLarge(limits));
    const read = webRequest(request, response);
    await sendResponse(await eras.fetch(read, caller, body), response);
  }

  function takeUnauthenticated(request: IncomingMessage, response: ServerResponse) {
    const sender = addressOf(request, settings.behindProxy);
    const { narrow, wide } = networksOf(sender);
    const end = (): void => void request.socket.destroy();
    const release = unauthenticated.take({ keys: [narrow, wide], end, isBusy: () => false });
    response.once("close", () => release?.());
    return { sender, release };
  }

  async function answerSignIn(
    handler: NonNullable<SignIn["server"]>,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (!mountedMethods.includes(request.method ?? "GET")) return refuse(response, otherMethod);
    await handler.answer(request, response, takeUnauthenticated(request, response).sender);
  }

  async function answerMounted(
    mounted: WebHandler,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method = "GET" } = request;
    if (!mountedMethods.includes(method)) return refuse(response, otherMethod);
    const { sender, release } = takeUnauthenticated(request, response);
    const bodyBytes = limits.mountedBodyBytes;
    const body = await readBody(request, bodyBytes);
    if (body === undefined) return refuse(response, tooLarge({ ...limits, bodyBytes }));
    // A `Request` of the Fetch standard cannot have a body with GET.
    if (method !== "POST" && body !== "") return refuse(response, needlessBody);
    const proved = (who: string): void => {
      release?.();
      sockets.proved(request.socket, `person ${who}`);
    };
    const asked = webRequest(request, response, body);
    await sendResponse(await mounted.fetch(asked, sender, proved), response);
  }

  /** Counts a request. Returns false if the caller has reached its limit. */
  function takeRequest(principal: string, response: ServerResponse): boolean {
    const count = underWay.get(principal) ?? 0;
    if (count >= limits.requestsPerCaller) return false;
    underWay.set(principal, count + 1);
    response.once("close", () => {
      const left = (underWay.get(principal) ?? 0) - 1;
      if (left > 0) underWay.set(principal, left);
      else underWay.delete(principal);
    });
    return true;
  }

  const limited = {
    headersTimeout: limits.headersWithin,
    requestTimeout: limits.requestWithin,
    keepAliveTimeout: limits.keepAlive,
    connectionsCheckingInterval: limits.connectionsCheckedEvery,
    maxHeaderSize: limits.headerBytes,
  };
  const server = createServer(limited, (request, response) => {
    const ended = sockets.began(request.socket);
    answering.add(response);
    response.once("close", () => {
      ended();
      answering.delete(response);
      if (answering.size === 0) whenDrained?.();
    });
    answer(request, response).catch((cause: unknown) => {
      // The client has disconnected. Logged at debug level, because unauthenticated clients could fill the log.
      if (response.destroyed) return log.debug("an HTTP request was interrupted", { cause });
      log.error("an HTTP request failed inside the server", { cause });
      if (response.headersSent) response.destroy();
      else refuse(response, { status: 500, message: "The server failed." });
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
      stopping = true;
      server.close();
      await eras.closeStreams();
    },
    drained: (withinMs) =>
      new Promise((resolve) => {
        const limit = setTimeout(resolve, withinMs);
        whenDrained = () => {
          clearTimeout(limit);
          resolve();
        };
        if (answering.size === 0) whenDrained();
      }),
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

const mountedMethods = ["GET", "HEAD", "POST"];

const otherMethod: Refusal = {
  status: 405,
  message: "Method not allowed.",
  headers: { allow: mountedMethods.join(", ") },
};

const onlyRead: Refusal = { ...otherMethod, headers: { allow: "GET, HEAD" } };

const needlessBody: Refusal = { status: 400, message: "Only a POST may have a body." };

const stoppingNow: Refusal = {
  status: 503,
  message: "The server is stopping. Nothing was done.",
  headers: { "retry-after": "5", connection: "close" },
};

function tooMany({ requestsPerCaller }: HttpLimits): Refusal {
  return {
    status: 429,
    message: `This caller has ${requestsPerCaller} requests under way. This one was not read and nothing was done. Send it again when one of them is answered.`,
    headers: { "retry-after": "5" },
  };
}

/** Authenticates before it checks the form, so that only authenticated clients learn about valid requests. */
async function authorize(
  authorizer: RequestAuthorizer,
  request: IncomingMessage,
): Promise<HttpCaller | Refusal> {
  const caller = await authorizer.identify(request);
  return "principal" in caller ? (authorizer.refuseForm(request) ?? caller) : caller;
}

function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(rpcErrorBody(message));
}

function report(response: ServerResponse, healthy: boolean): void {
  response.writeHead(healthy ? 200 : 503, { "content-type": "text/plain; charset=utf-8" });
  response.end(healthy ? "ok\n" : "unavailable\n");
}

/** Returns a function that caches a result for a short time. A late result counts as false. */
function lately(
  ask: () => Promise<boolean>,
  limits: HttpLimits,
  now: () => number,
): () => Promise<boolean> {
  let last: { at: number; answer: Promise<boolean> } | undefined;
  return () => {
    if (last === undefined || now() - last.at > limits.healthAgeAtMost) {
      const late = new Promise<boolean>((resolve) => {
        setTimeout(() => resolve(false), limits.healthWithin).unref();
      });
      const answer = Promise.race([ask().catch(() => false), late]);
      last = { at: now(), answer };
    }
    return last.answer;
  };
}
