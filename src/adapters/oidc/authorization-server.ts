import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody } from "../../core/network-limits/limited-body.ts";
import type { Log } from "../../core/shared/log.ts";
import {
  type ConsentPage,
  type ConsentView,
  type Scope,
  type SignInEvent,
  scopes,
} from "../../ports/people/consent.ts";
import type { OAuthStore } from "../../ports/people/oauth-store.ts";
import { createTokenFormat } from "./access-token.ts";
import { type NotAccepted, createClientDocuments, isDocumentAddress } from "./client-documents.ts";
import { configuration, paths } from "./configuration.ts";
import { answerConsent, sendView } from "./consent-route.ts";
import { wordsForError } from "./failure-words.ts";
import { Provider } from "./library.ts";
import { isLoopback, isRegistered } from "./redirect-uris.ts";
import { maxBodyBytes, registrationsPerNetwork, signIns } from "./limits.ts";
import { ownResource, understood } from "./authorize-request.ts";
import { replaceBody } from "./request-body.ts";
import { storedId } from "./records.ts";
import { createLastSeen } from "./last-seen.ts";
import { createNetworkLimit } from "./registration-limit.ts";

/** The holder of an access token. */
export interface TokenHolder {
  principal: string;
  scope: Scope;
  clientId: string;
  grantId: string | undefined;
}

export interface AuthorizationServer {
  /** Returns whether `answer` handles requests for this path. */
  owns(path: string): boolean;
  /** Returns whether pages of any origin may send requests to this path, because it uses no cookie. */
  isOpen(path: string): boolean;
  answer(request: IncomingMessage, response: ServerResponse, sender: string): Promise<void>;
  /**
   * Returns the holder of an access token for our resource, `ended` for a token of this server that is no longer valid,
   * or undefined for a token of any other source.
   */
  holderOf(token: string): Promise<TokenHolder | "ended" | undefined>;
}

export interface AuthorizationServerSettings {
  /** `https://host`, without a slash at the end. */
  issuer: string;
  /** The URL of the MCP endpoint, to which tokens are bound (RFC 8707). */
  resource: string;
  secret: Uint8Array;
  store: OAuthStore;
  consent: ConsentPage;
  isApprover: (name: string) => boolean;
  /** Records grants, wrong secrets and the end of grants in the audit record. */
  record: (event: SignInEvent) => Promise<void>;
  log: Log;
}

/** The metadata paths of RFC 8414, section 3. Some clients use the path of OpenID Connect Discovery instead. */
const serverPaths = ["/.well-known/oauth-authorization-server", paths.discovery];

/** The records beyond the limit are few, so they need not be removed each time. */
const signInsBetweenCleanups = 50;

const openPaths: readonly string[] = [paths.register, paths.token, paths.revoke, paths.keys];

/** Creates the authorization server for clients that sign in. */
export function createAuthorizationServer(
  settings: AuthorizationServerSettings,
): AuthorizationServer {
  const { issuer, resource, store, isApprover, log } = settings;
  const provider = new Provider(issuer, configuration(settings));
  provider.proxy = true;
  provider.Client.prototype.redirectUriAllowed = function allowed(asked) {
    return isRegistered(asked, this.redirectUris ?? []);
  };
  const tokens = createTokenFormat(settings.secret);
  Object.defineProperty(provider.AccessToken.prototype, "generateTokenId", {
    value(this: { format: string }) {
      this.format = "opaque";
      return tokens.create();
    },
  });
  provider.on("server_error", (_ctx, cause) =>
    log.error("the authorization server failed", { cause }),
  );
  provider.use(async (ctx, next) => {
    if (ctx.path === paths.authorize) {
      ctx.query = understood(ctx.query, resource);
    }
    await next();
    const target = leaving(ctx.response, issuer);
    if (target !== undefined && ctx.get("sec-fetch-mode") === "navigate") {
      if (ctx.path.startsWith(`${paths.authorize}/`)) {
        // Chromium applies `form-action` to every redirect after a form, and clients redirect the browser to their apps.
        // A page in between ends this chain.
        show(ctx, await settings.consent.leave(target));
      } else if (!isLoopback(target)) {
        // Any program can register an address. Without this page, a link to this server would lead a person to it
        // before the server has asked anything (RFC 9700, section 4.11.2).
        const failure = new URLSearchParams(target.search || target.hash.slice(1)).get("error");
        show(ctx, await settings.consent.failed(wordsForError(failure ?? undefined)));
      }
    }
    if (ctx.path === paths.discovery && ctx.status === 200) {
      Object.assign(ctx.body as object, {
        scopes_supported: ["mcp", "mcp:read", "offline_access"],
        response_modes_supported: ["query"],
        client_id_metadata_document_supported: true,
      });
    }
  });
  provider.on("grant.revoked", ({ oidc: { entities, route } }) => {
    const token = entities.RefreshToken ?? entities.AccessToken ?? entities.AuthorizationCode;
    void settings.record({
      kind: route === "revocation" ? "revoked" : "replayed",
      principal: token?.accountId ?? "unknown",
      client: entities.Client?.clientName ?? token?.clientId ?? "unknown",
    });
  });
  const answerWithLibrary = provider.callback();
  const now = (): number => performance.now();
  const waitToRegister = createNetworkLimit(now, registrationsPerNetwork);
  const waitToSignIn = createNetworkLimit(now, signIns.perNetwork);
  let begun = 0;
  const documents = createClientDocuments(store, waitToRegister);
  const host = new URL(issuer).host;
  const seen = createLastSeen(store, log, now);

  async function refusePage(
    response: ServerResponse,
    text: string,
    waitSeconds?: number,
  ): Promise<void> {
    const view = await settings.consent.failed(`${text} Nothing was granted.`);
    if (waitSeconds === undefined) return sendView(response, view);
    response.setHeader("retry-after", String(waitSeconds));
    sendView(response, { ...view, status: 429 });
  }

  async function refuseDocument(
    response: ServerResponse,
    { reason, waitSeconds }: NotAccepted,
  ): Promise<void> {
    const text = `The client's description was not accepted: ${reason}.`;
    await refusePage(response, text, waitSeconds);
  }

  /** Counts a sign-in that begins. Returns whether it was refused. */
  async function refuseSignIn(
    response: ServerResponse,
    query: string,
    sender: string,
  ): Promise<boolean> {
    const wait = waitToSignIn(sender);
    const isLarge = Buffer.byteLength(query) > signIns.queryBytes;
    if (wait !== undefined) {
      const text = `Too many sign-ins began on this network. Wait ${Math.ceil(wait / 60)} minutes, then try again.`;
      await refusePage(response, text, wait);
    } else if (isLarge) await refusePage(response, "The client's request is too large.");
    if (wait !== undefined || isLarge) return true;
    if (begun % signInsBetweenCleanups === 0) await store.keepNewest("Interaction", signIns.inAll);
    begun += 1;
    return false;
  }

  return {
    isOpen: (path) => serverPaths.includes(path) || openPaths.includes(path),

    owns: (path) => path.startsWith("/oauth/") || serverPaths.includes(path),

    answer: async (request, response, sender) => {
      const [path = "/", query] = (request.url ?? "/").split("?", 2);
      if (Number(request.headers["content-length"]) > maxBodyBytes) {
        return tooLarge(response);
      }
      // The library builds its URLs from these headers, so they must name our own host.
      request.headers.host = host;
      request.headers["x-forwarded-proto"] = "https";
      delete request.headers["x-forwarded-host"];
      if (path.startsWith(`${paths.consent}/`)) {
        return await answerConsent({ ...settings, provider, path, sender }, request, response);
      }
      if (serverPaths.includes(path.replace(/\/$/, ""))) request.url = paths.discovery;
      if (path === paths.authorize) {
        // An earlier sign-in of this browser does not count, because another person may be using it now.
        delete request.headers.cookie;
        if (await refuseSignIn(response, query ?? "", sender)) return;
        const asked = new URLSearchParams(query);
        const clientId = asked.get("client_id") ?? "";
        if (isDocumentAddress(clientId)) {
          const refused = await documents.refresh(clientId, sender);
          if (refused !== undefined) return await refuseDocument(response, refused);
        }
        const mode = asked.get("response_mode");
        if (mode !== null && mode !== "query") {
          return json(response, 400, problem("invalid_request", "response_mode must be query."));
        }
      }
      if (path === paths.register && request.method === "POST") {
        const waitSeconds = waitToRegister(sender);
        if (waitSeconds !== undefined) {
          response.setHeader("retry-after", String(waitSeconds));
          const text = "Too many registrations from this network.";
          return json(response, 429, problem("temporarily_unavailable", text));
        }
      }
      if (path === paths.token && request.method === "POST") {
        const body = await readBody(request, maxBodyBytes);
        if (body === undefined) return tooLarge(response);
        const form = new URLSearchParams(body);
        useOwnResource(form, resource);
        if (form.getAll("resource").some((each) => each !== "" && each !== resource)) {
          // The library would use up the code or refresh token first, and the client's next try would end the grant.
          const text = `The resource must be ${resource}.`;
          return json(response, 400, problem("invalid_target", text));
        }
        replaceBody(request, form.toString());
      }
      await answerWithLibrary(request, response);
    },

    holderOf: async (token) => {
      if (!tokens.isOwn(token)) return undefined;
      const payload = await store.findGranted("AccessToken", storedId("AccessToken", token));
      const { accountId, clientId, aud, exp, scope } = payload ?? {};
      if (typeof accountId !== "string" || typeof clientId !== "string") return "ended";
      if (typeof exp !== "number" || exp * 1_000 <= Date.now()) return "ended";
      if (aud !== resource || !isApprover(accountId)) return "ended";
      const granted = typeof scope === "string" ? scope.split(" ") : [];
      const held = scopes.find((each) => granted.includes(each));
      if (held === undefined) return "ended";
      const grantId = payload?.["grantId"];
      seen(grantId);
      const known = typeof grantId === "string" ? grantId : undefined;
      return { principal: accountId, scope: held, clientId, grantId: known };
    },
  };
}

/** Shows a page instead of the response. */
function show(
  ctx: {
    status: number;
    type: string;
    body: unknown;
    set: (headers: Record<string, string>) => void;
    remove: (name: string) => void;
  },
  { status, headers, html }: ConsentView,
): void {
  ctx.remove("location");
  ctx.status = status;
  ctx.type = "html";
  ctx.set(headers);
  ctx.body = html;
}

/** Returns the address of another server to which this response redirects. */
function leaving(
  response: { status: number; get: (name: string) => string },
  issuer: string,
): URL | undefined {
  const location = response.get("location");
  if (response.status !== 303 || !URL.canParse(location)) return undefined;
  const target = new URL(location);
  return target.origin === issuer ? undefined : target;
}

function useOwnResource(form: URLSearchParams, resource: string): void {
  const asked = form.getAll("resource");
  form.delete("resource");
  for (const each of [ownResource(asked, resource) ?? []].flat()) form.append("resource", each);
}

function tooLarge(response: ServerResponse): void {
  json(response, 413, problem("invalid_request", "The request is too large."));
}

function problem(error: string, description: string): string {
  return JSON.stringify({ error, error_description: description });
}

function json(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "content-type": "application/json" }).end(body);
}
