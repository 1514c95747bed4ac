import type { IncomingMessage, ServerResponse } from "node:http";
import { Provider } from "oidc-provider";
import type { Log } from "../../core/shared/log.ts";
import type { ConsentPage, Scope, SignInEvent } from "../../ports/people/consent.ts";
import type { OAuthStore } from "../../ports/people/oauth-store.ts";
import { configuration, paths } from "./configuration.ts";
import { answerConsent } from "./consent-route.ts";
import { isRegistered } from "./redirect-uris.ts";
import { maxBodyBytes } from "./limits.ts";
import { storedId } from "./records.ts";
import { createRegistrationLimit } from "./registration-limit.ts";

/** The holder of an access token. */
export interface TokenHolder {
  principal: string;
  scope: Scope;
  clientId: string;
}

export interface AuthorizationServer {
  /** Returns whether `answer` handles requests for this path. */
  owns(path: string): boolean;
  answer(request: IncomingMessage, response: ServerResponse, sender: string): Promise<void>;
  /** Returns the holder of an access token for our resource. Undefined if the token is not valid. */
  holderOf(token: string): Promise<TokenHolder | undefined>;
}

export interface AuthorizationServerSettings {
  /** `https://host`, without a slash at the end. */
  issuer: string;
  /** The address of the MCP endpoint, which tokens are bound to (RFC 8707). */
  resource: string;
  secret: Uint8Array;
  store: OAuthStore;
  consent: ConsentPage;
  isApprover: (name: string) => boolean;
  /** Receives grants, wrong secrets and ended grants, for the audit record. */
  record: (event: SignInEvent) => Promise<void>;
  log: Log;
}

/**
 * RFC 9728, section 3.1: the path of the resource comes after the well-known part. Some clients ask only at the root.
 */
const resourcePaths = [
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/oauth-protected-resource",
];
/** RFC 8414, section 3. Some clients ask at the address of OpenID Connect Discovery instead. */
const serverPaths = ["/.well-known/oauth-authorization-server", paths.discovery];

/** Creates the authorization server for hosts that sign in. */
export function createAuthorizationServer(
  settings: AuthorizationServerSettings,
): AuthorizationServer {
  const { issuer, resource, store, isApprover, log } = settings;
  const provider = new Provider(issuer, configuration(settings));
  provider.proxy = true;
  provider.Client.prototype.redirectUriAllowed = function allowed(asked) {
    return isRegistered(asked, this.redirectUris ?? []);
  };
  provider.on("server_error", (_ctx, cause) =>
    log.error("the authorization server failed", { cause }),
  );
  provider.use(async (ctx, next) => {
    if (ctx.path === paths.authorize) {
      // Many hosts ask for no scope. The larger scope includes the smaller one, which the person may choose instead.
      const asked = String(ctx.query["scope"] ?? "mcp").split(" ");
      if (asked.includes("mcp")) asked.push("mcp:read");
      ctx.query = { ...ctx.query, scope: [...new Set(asked)].join(" ") };
    }
    await next();
    if (ctx.path === paths.discovery && ctx.status === 200) {
      Object.assign(ctx.body as object, {
        scopes_supported: ["mcp", "mcp:read", "offline_access"],
        response_modes_supported: ["query"],
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
  const waitToRegister = createRegistrationLimit(() => performance.now());
  const host = new URL(issuer).host;
  const metadata = JSON.stringify({
    resource,
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    scopes_supported: ["mcp", "mcp:read"],
    resource_name: "Countersign",
  });

  return {
    owns: (path) =>
      path.startsWith("/oauth/") || resourcePaths.includes(path) || serverPaths.includes(path),

    answer: async (request, response, sender) => {
      const [path = "/", query] = (request.url ?? "/").split("?", 2);
      if (resourcePaths.includes(path)) return json(response, 200, metadata);
      if (Number(request.headers["content-length"]) > maxBodyBytes) {
        return json(response, 413, problem("invalid_request", "The request is too large."));
      }
      // The library builds its addresses from these headers. They must name only our own host.
      request.headers.host = host;
      request.headers["x-forwarded-proto"] = "https";
      delete request.headers["x-forwarded-host"];
      if (path.startsWith(`${paths.consent}/`)) {
        return await answerConsent({ ...settings, provider, path, sender }, request, response);
      }
      if (serverPaths.includes(path)) request.url = paths.discovery;
      if (path === paths.authorize) {
        // No earlier sign-in of this browser counts, because another person may be using it now.
        delete request.headers.cookie;
        const mode = new URLSearchParams(query).get("response_mode");
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
      await answerWithLibrary(request, response);
    },

    holderOf: async (token) => {
      const payload = await store.findGranted("AccessToken", storedId("AccessToken", token));
      if (payload === undefined) return undefined;
      const { accountId, clientId, aud, exp, scope } = payload;
      if (typeof accountId !== "string" || typeof clientId !== "string") return undefined;
      if (typeof exp !== "number" || exp * 1_000 <= Date.now()) return undefined;
      if (aud !== resource || !isApprover(accountId)) return undefined;
      const granted = typeof scope === "string" ? scope.split(" ") : [];
      if (granted.includes("mcp")) return { principal: accountId, scope: "mcp", clientId };
      if (granted.includes("mcp:read")) {
        return { principal: accountId, scope: "mcp:read", clientId };
      }
      return undefined;
    },
  };
}

function problem(error: string, description: string): string {
  return JSON.stringify({ error, error_description: description });
}

function json(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "content-type": "application/json" }).end(body);
}
