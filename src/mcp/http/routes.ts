import type { IncomingMessage, ServerResponse } from "node:http";
import type { ConnectionShares } from "../../core/network-limits/connection-shares.ts";
import { readBody } from "../../core/network-limits/limited-body.ts";
import type { BothEras } from "./both-eras.ts";
import type { HttpCaller, TokenLookup } from "./callers.ts";
import { answerPage } from "./cross-origin.ts";
import { sendResponse, webRequest } from "./exchange.ts";
import type { GrantLookup, GrantedRequests } from "./granted-requests.ts";
import { reportHealth } from "./health.ts";
import type { HttpLimits } from "./limits.ts";
import {
  mountedMethods,
  needlessBody,
  notFound,
  onlyRead,
  otherMethod,
  refuse,
  stoppingNow,
  tooMany,
} from "./refusals.ts";
import {
  type Pages,
  type Refusal,
  type RequestAuthorizer,
  tooLarge,
} from "./request-authorizer.ts";
import type { RequestShares } from "./request-shares.ts";
import { type ProtectedResource, resourceMetadata, resourcePaths } from "./resource-metadata.ts";

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

/** Restrictions for browsers. A mounted handler's own headers override them. */
const securityHeaders: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/**
 * Creates the function that answers a request by its path: `/healthz`, the metadata and the sign-in of clients, the
 * mounted handlers, and `/mcp`.
 */
export function createRoutes({
  signIn,
  origins = [],
  limits,
  authorizer,
  eras,
  granted,
  sockets,
  shares,
  isHealthy,
  isStopping,
  ...settings
}: {
  signIn: SignIn | undefined;
  origins?: readonly string[] | undefined;
  mounts: Readonly<Record<string, WebHandler>>;
  limits: HttpLimits;
  authorizer: RequestAuthorizer;
  eras: BothEras;
  granted: GrantedRequests | undefined;
  sockets: ConnectionShares;
  shares: RequestShares;
  isHealthy: () => Promise<boolean>;
  isStopping: () => boolean;
}): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const mounts = new Map(Object.entries(settings.mounts));
  const pagesAt = (path: string): Pages => {
    if (signIn && (resourcePaths.includes(path) || signIn.server?.isOpen(path))) return "any";
    const areNamed = signIn !== undefined || origins.length > 0;
    return path === "/mcp" && areNamed ? "clients" : "own";
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    const [asked = "/"] = (request.url ?? "/").split("?", 1);
    // If a person enters the address with a slash at the end, the client adds it to every address.
    const path = signIn && asked.length > 1 ? asked.replace(/\/$/, "") : asked;
    if (path === "/healthz") return reportHealth(response, !isStopping() && (await isHealthy()));
    if (isStopping()) return refuse(response, stoppingNow);
    const pages = pagesAt(path);
    const foreign = authorizer.refuseSource(request.headers, pages);
    if (foreign) return refuse(response, foreign);
    if (pages !== "own" && answerPage(request, response)) return;
    const mounted = mounts.get(path.split("/", 2)[1] ?? "");
    if (mounted) return await answerMounted(mounted, request, response);
    if (signIn && resourcePaths.includes(path))
      return answerMetadata(signIn.protects, request, response);
    if (signIn?.server?.owns(path)) return await answerSignIn(signIn.server, request, response);
    if (path !== "/mcp") return refuse(response, notFound);
    await answerMcp(request, response);
  }

  async function answerMcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const caller = await authorize(authorizer, request);
    if (!("principal" in caller)) return refuse(response, caller);
    const { principal, grantId } = caller;
    if (grantId !== undefined) granted?.began(grantId, response);
    sockets.proved(request.socket, `caller ${principal}`);
    if (!shares.take(principal, response)) return refuse(response, tooMany(limits));
    const body = await readBody(request, limits.bodyBytes);
    if (body === undefined) return refuse(response, tooLarge(limits));
    const read = webRequest(request, response);
    await sendResponse(await eras.fetch(read, caller, body), response);
  }

  async function answerSignIn(
    handler: NonNullable<SignIn["server"]>,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (!mountedMethods.includes(request.method ?? "GET")) return refuse(response, otherMethod);
    await handler.answer(request, response, shares.takeUnauthenticated(request, response).sender);
  }

  async function answerMounted(
    mounted: WebHandler,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method = "GET" } = request;
    if (!mountedMethods.includes(method)) return refuse(response, otherMethod);
    const { sender, release } = shares.takeUnauthenticated(request, response);
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

  return answer;
}

function answerMetadata(
  resource: ProtectedResource,
  { method = "" }: IncomingMessage,
  response: ServerResponse,
): void {
  if (!["GET", "HEAD"].includes(method)) return refuse(response, onlyRead);
  const headers = { "content-type": "application/json" };
  response.writeHead(200, headers).end(resourceMetadata(resource));
}

/** Authenticates before it checks the form, so that only authenticated clients learn about valid requests. */
async function authorize(
  authorizer: RequestAuthorizer,
  request: IncomingMessage,
): Promise<HttpCaller | Refusal> {
  const caller = await authorizer.identify(request);
  return "principal" in caller ? (authorizer.refuseForm(request) ?? caller) : caller;
}
