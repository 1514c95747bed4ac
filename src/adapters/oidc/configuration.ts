import type { Configuration } from "oidc-provider";
import type { Log } from "../../core/shared/log.ts";
import { randomId } from "../../core/shared/digest.ts";
import { type ConsentPage, scopes } from "../../ports/people/consent.ts";
import type { OAuthStore } from "../../ports/people/oauth-store.ts";
import { errors, interactionPolicy } from "./library.ts";
import { wordsFor } from "./failure-words.ts";
import { lifetimes } from "./limits.ts";
import { recordsOf } from "./records.ts";
import { allowedRedirects, assertRedirectsAllowed } from "./redirect-uris.ts";
import { cookieKey, signingKey } from "./signing-key.ts";

export const paths = {
  authorize: "/oauth/authorize",
  consent: "/oauth/consent",
  discovery: "/.well-known/openid-configuration",
  register: "/oauth/register",
  token: "/oauth/token",
  revoke: "/oauth/revoke",
  keys: "/oauth/jwks",
} as const;

const supportedGrants = ["authorization_code", "refresh_token"] as const;
const supportedResponses = ["code"] as const;

/** Returns the library's settings: OAuth 2.1 for public clients, and nothing else that the library can do. */
export function configuration(settings: {
  resource: string;
  secret: Uint8Array;
  store: OAuthStore;
  consent: ConsentPage;
  isApprover: (name: string) => boolean;
  log: Log;
}): Configuration {
  const { resource, secret, store, consent, isApprover, log } = settings;
  const off = { enabled: false };
  return {
    adapter: (model) => recordsOf(model, store),
    jwks: { keys: [signingKey(secret)] },
    cookies: {
      keys: [cookieKey(secret)],
      names: {
        session: "__Host-countersign-oauth",
        interaction: "__Secure-countersign-consent",
        resume: "__Secure-countersign-resume",
      },
      long: { secure: true, httpOnly: true, sameSite: "lax" },
      short: { secure: true, httpOnly: true, sameSite: "lax" },
    },
    routes: {
      authorization: paths.authorize,
      token: paths.token,
      registration: paths.register,
      revocation: paths.revoke,
      jwks: paths.keys,
    },
    clientAuthMethods: ["none"],
    clientDefaults: {
      grant_types: [...supportedGrants],
      response_types: [...supportedResponses],
      token_endpoint_auth_method: "none",
      id_token_signed_response_alg: "Ed25519",
    },
    enabledJWA: { idTokenSigningAlgValues: ["Ed25519"] },
    // A registration may name only scopes that are known without a resource.
    scopes: ["openid", "offline_access", ...scopes],
    responseTypes: ["code"],
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: () => true },
    features: {
      devInteractions: off,
      dPoP: off,
      userinfo: off,
      rpInitiatedLogout: off,
      pushedAuthorizationRequests: off,
      revocation: { enabled: true },
      registration: {
        enabled: true,
        issueRegistrationAccessToken: false,
        idFactory: ({ oidc }) => {
          const registration = oidc.body ?? {};
          // Checked before the library, so that the refusal is our own sentence.
          const allowed = allowedRedirects(registration["redirect_uris"]);
          if (allowed.length > 0) registration["redirect_uris"] = allowed;
          assertRedirectsAllowed(registration["redirect_uris"]);
          makePublic(registration);
          return randomId("client");
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, asked) => {
          if (asked !== resource) throw new errors.InvalidTarget();
          return { scope: scopes.join(" "), audience: resource, accessTokenFormat: "opaque" };
        },
      },
    },
    ttl: {
      AccessToken: lifetimes.access,
      AuthorizationCode: lifetimes.code,
      IdToken: lifetimes.access,
      RefreshToken: lifetimes.refresh,
      Grant: lifetimes.refresh,
      Interaction: lifetimes.interaction,
      Session: lifetimes.interaction,
    },
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    rotateRefreshToken: true,
    findAccount: (_ctx, accountId) =>
      isApprover(accountId) ? { accountId, claims: () => ({ sub: accountId }) } : undefined,
    // Every authorization is decided separately. An earlier sign-in or grant of this browser does not count.
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : await ctx.oidc.provider.Grant.find(grantId);
    },
    interactions: {
      policy: askAlways(),
      url: (_ctx, { uid }) => `${paths.consent}/${uid}`,
    },
    // A client in a browser sends requests from its own page. These use no cookie of ours, only its own code and
    // verifier.
    clientBasedCORS: () => true,
    renderError: async (ctx, _answer, failure) => {
      log.debug("a request of a browser failed", { cause: failure });
      const view = await consent.failed(wordsFor(failure));
      ctx.type = "html";
      ctx.set(view.headers);
      ctx.body = view.html;
    },
  };
}

/** The fields of a registration that are used. The library refuses some of the others, which clients send empty. */
const registered = new Set(["redirect_uris", "client_name", "application_type"]);
const applicationTypes: readonly unknown[] = ["native", "web"];

/**
 * Changes a registration to that of a public client, as RFC 7591, section 3.2.1 permits. claude.ai asks for
 * `client_secret_post` and for grants that we do not support, and follows the response. A registered scope is dropped,
 * because it would be an upper limit, and a person may choose the larger scope later.
 */
function makePublic(registration: Record<string, unknown>): void {
  const { grant_types: grants, response_types: responses, client_name: name } = registration;
  for (const field of Object.keys(registration)) {
    if (!registered.has(field)) delete registration[field];
  }
  registration["token_endpoint_auth_method"] = "none";
  if (typeof name !== "string" || name.trim() === "") delete registration["client_name"];
  if (!applicationTypes.includes(registration["application_type"])) {
    delete registration["application_type"];
  }
  keepSupported("grant_types", grants, supportedGrants);
  keepSupported("response_types", responses, supportedResponses);

  /** Reduces a list to the values that we support. If none remains, the library refuses the client. */
  function keepSupported(field: string, asked: unknown, supported: readonly unknown[]): void {
    if (!Array.isArray(asked) || asked.length === 0) return;
    const left = asked.filter((each) => supported.includes(each));
    registration[field] = left.length > 0 ? left : asked;
  }
}

function askAlways() {
  const policy = interactionPolicy.base();
  const check = new interactionPolicy.Check("not_asked", "a person has to decide", (ctx) =>
    ctx.oidc.result?.login === undefined
      ? interactionPolicy.Check.REQUEST_PROMPT
      : interactionPolicy.Check.NO_NEED_TO_PROMPT,
  );
  policy.get("login")?.checks.add(check);
  return policy;
}
