import type { IncomingMessage, ServerResponse } from "node:http";
import { type Scope, scopes } from "../../ports/people/consent.ts";
import { createTokenFormat } from "./access-token.ts";
import { paths } from "./configuration.ts";
import { answerConsent } from "./consent-route.ts";
import { createLastSeen } from "./last-seen.ts";
import { maxBodyBytes } from "./limits.ts";
import { type AuthorizationServerSettings, openProvider } from "./open-provider.ts";
import { storedId } from "./records.ts";
import { createRequestChecks, tooLarge } from "./request-checks.ts";

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

/** The metadata paths of RFC 8414, section 3. Some clients use the path of OpenID Connect Discovery instead. */
const serverPaths = ["/.well-known/oauth-authorization-server", paths.discovery];

const openPaths: readonly string[] = [paths.register, paths.token, paths.revoke, paths.keys];

/** Creates the authorization server for clients that sign in. */
export function createAuthorizationServer(
  settings: AuthorizationServerSettings,
): AuthorizationServer {
  const { issuer, resource, store, isApprover, log } = settings;
  const tokens = createTokenFormat(settings.secret);
  const provider = openProvider(settings, tokens);
  const answerWithLibrary = provider.callback();
  const now = (): number => performance.now();
  const checks = createRequestChecks(settings, now);
  const seen = createLastSeen(store, log, now);
  const host = new URL(issuer).host;

  /** Checks a request before the library. Returns whether it was refused. */
  async function isRefused(
    path: string,
    ...given: Parameters<typeof checks.refusesSignIn>
  ): Promise<boolean> {
    const [request] = given;
    if (path === paths.authorize) {
      // An earlier sign-in of this browser does not count, because another person may be using it now.
      delete request.headers.cookie;
      return await checks.refusesSignIn(...given);
    }
    if (request.method !== "POST") return false;
    if (path === paths.register) return await checks.refusesRegistration(...given);
    return path === paths.token && (await checks.refusesToken(...given));
  }

  return {
    isOpen: (path) => serverPaths.includes(path) || openPaths.includes(path),

    owns: (path) => path.startsWith("/oauth/") || serverPaths.includes(path),

    answer: async (request, response, sender) => {
      const [path = "/"] = (request.url ?? "/").split("?", 1);
      if (Number(request.headers["content-length"]) > maxBodyBytes) {
        tooLarge(response);
        return;
      }
      // The library builds its URLs from these headers, so they must name our own host.
      request.headers.host = host;
      request.headers["x-forwarded-proto"] = "https";
      delete request.headers["x-forwarded-host"];
      if (path.startsWith(`${paths.consent}/`)) {
        return await answerConsent({ ...settings, provider, path, sender }, request, response);
      }
      if (serverPaths.includes(path.replace(/\/$/, ""))) request.url = paths.discovery;
      if (await isRefused(path, request, response, sender)) return;
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
