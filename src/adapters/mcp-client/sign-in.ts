import {
  type AuthorizationServerMetadata,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  auth,
  extractWWWAuthenticateParams,
  refreshAuthorization,
} from "@modelcontextprotocol/client";
import type { Log } from "../../core/shared/log.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { SignInStore, StoredSignIn } from "../../ports/upstream/sign-in-store.ts";
import type { UpstreamSignIn } from "../../ports/upstream/upstream-server.ts";
import { signInFailed } from "./errors.ts";
import { type Fetch, createGuardedFetch } from "./guarded-fetch.ts";
import { isSafePage, isSameSite } from "./sign-in-page.ts";

/** A token is renewed this long before it expires, because a request takes time. Milliseconds. */
const renewBeforeMs = 60_000;
/** Milliseconds. */
const answerWithinMs = 15_000;

/** The content of the store. It is encrypted for this program alone, so its form is not checked again. */
interface SignedIn {
  issuer: string;
  metadata?: AuthorizationServerMetadata | undefined;
  resource?: string | undefined;
  client: OAuthClientInformationMixed;
  tokens: OAuthTokens;
  /** Milliseconds since 1970. Undefined if the server did not say. */
  endsAt?: number | undefined;
  /** The scopes that were requested. */
  scopes?: string | undefined;
  /** The scopes that the server asked for later. */
  neededScopes?: string | undefined;
}

/** The scopes of one sign-in together. A hostile server must not fill the address of the page. Characters. */
const maxScopes = 2_000;

function signedIn(stored: StoredSignIn | undefined): SignedIn | undefined {
  return stored as SignedIn | undefined;
}

function stored(value: SignedIn): StoredSignIn {
  return { ...value };
}

/** Returns each scope of several lists once. Undefined without any. */
function union(...lists: readonly (string | undefined)[]): string | undefined {
  const all = new Set(lists.flatMap((list) => list?.split(" ") ?? []).filter(Boolean));
  return all.size === 0 ? undefined : [...all].join(" ").slice(0, maxScopes);
}

function endOf({ expires_in: seconds }: OAuthTokens): number | undefined {
  return seconds === undefined ? undefined : Date.now() + seconds * 1_000;
}

/**
 * Creates the access to the tokens of a stored sign-in. One process at a time renews them, because a refresh token can
 * be used only once.
 */
export function createSignIn(
  server: string,
  { url, store, log }: { url: string; store: SignInStore; log: Log },
): UpstreamSignIn {
  async function renewed(refused: string): Promise<string | undefined> {
    let token: string | undefined;
    await store.change(async (now) => {
      const known = signedIn(now);
      if (known === undefined) return undefined;
      token = known.tokens.access_token;
      if (token !== refused) return now;
      token = undefined;
      const { refresh_token: refreshToken } = known.tokens;
      if (refreshToken === undefined) return now;
      const http = createGuardedFetch(url);
      try {
        const tokens = await refreshAuthorization(known.issuer, {
          ...(known.metadata && { metadata: known.metadata }),
          clientInformation: known.client,
          refreshToken,
          ...(known.resource !== undefined && { resource: new URL(known.resource) }),
          fetchFn: withTimeout(http.fetch),
        });
        if (!isBearer(tokens)) throw new Error("the token cannot be sent");
        token = tokens.access_token;
        return stored({ ...known, tokens, endsAt: endOf(tokens) });
      } catch (cause) {
        log.warn("renewing the sign-in at an upstream server failed", { server, cause });
        return now;
      } finally {
        http.close();
      }
    });
    return token;
  }

  return {
    renewed,
    needs: async (scopes) =>
      await store.change(async (now) => {
        const known = signedIn(now);
        const neededScopes = union(known?.neededScopes, scopes);
        return await Promise.resolve(known && stored({ ...known, neededScopes }));
      }),
    token: async () => {
      const known = signedIn(store.read());
      if (known === undefined) return undefined;
      const { tokens, endsAt } = known;
      const isEnding = endsAt !== undefined && endsAt - Date.now() < renewBeforeMs;
      if (!isEnding || tokens.refresh_token === undefined) return tokens.access_token;
      return (await renewed(tokens.access_token)) ?? tokens.access_token;
    },
  };
}

function withTimeout(fetch: Fetch): Fetch {
  return (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(answerWithinMs) });
}

/** The receiver of the browser's redirect, on this machine. */
export interface Return {
  redirectUrl: string;
  /** Resolves with the parameters of the response that has this state. */
  answer(state: string): Promise<URLSearchParams>;
}

/**
 * Signs a person in at a server: OAuth 2.1 with PKCE. The metadata of the server and of its authorization server must
 * each name the server from which it was read (RFC 9728, RFC 8414, RFC 9207).
 * @throws ToolError
 */
export async function signIn(settings: {
  server: string;
  url: string;
  store: SignInStore;
  back: Return;
  state: string;
  /** Shows the person the consent page. */
  show: (url: URL) => Promise<void>;
}): Promise<void> {
  const { server, url, store, back, state } = settings;
  const http = createGuardedFetch(url);
  const fetchFn = withTimeout(http.fetch);
  const found: { page?: URL; verifier?: string; state?: OAuthDiscoveryState } = {};
  let client: OAuthClientInformationMixed | undefined;
  let resource: string | undefined;
  let tokens: OAuthTokens | undefined;
  const provider: OAuthClientProvider = {
    redirectUrl: back.redirectUrl,
    clientMetadata: {
      client_name: "Countersign",
      redirect_uris: [back.redirectUrl],
      token_endpoint_auth_method: "none",
    },
    state: () => state,
    clientInformation: () => client,
    saveClientInformation: (given) => void (client = given),
    tokens: () => tokens,
    saveTokens: (given) => void (tokens = given),
    redirectToAuthorization: (page) => void (found.page = page),
    saveCodeVerifier: (verifier) => void (found.verifier = verifier),
    codeVerifier: () => found.verifier ?? "",
    saveDiscoveryState: (given) => void (found.state = given),
    discoveryState: () => found.state,
    saveResourceUrl: (given) => void (resource = given),
  };
  try {
    const { scopes, neededScopes } = signedIn(store.read()) ?? {};
    const asked = await challengeOf(server, url, fetchFn);
    // A sign-in replaces the former one, so it also requests the scopes of that one.
    const scope =
      neededScopes === undefined ? asked.scope : union(asked.scope, scopes, neededScopes);
    const challenge = { ...asked, ...(scope !== undefined && { scope }) };
    await auth(provider, { serverUrl: url, fetchFn, ...challenge });
    const { page } = found;
    if (page === undefined || !isSafePage(page, new URL(url)))
      throw refused(server, "names a sign-in page without TLS");
    await settings.show(page);
    const answer = await back.answer(state);
    const code = answer.get("code");
    if (code === null)
      throw refused(server, "returned without a code: the sign-in was not allowed");
    const iss = answer.get("iss") ?? undefined;
    // A malicious server could name the sign-in page of another server, and receive that server's code (RFC 9700
    // section 4.4).
    if (iss === undefined && !isSameSite(page, tokenPlaceOf(found.state)))
      throw refused(server, "would get the code of a sign-in page on another host");
    await auth(provider, {
      serverUrl: url,
      fetchFn,
      ...challenge,
      authorizationCode: code,
      ...(iss !== undefined && { iss }),
    });
  } catch (thrown) {
    throw thrown instanceof ToolError ? thrown : signInFailed(server, thrown);
  } finally {
    http.close();
  }
  if (client === undefined || tokens === undefined || found.state === undefined)
    throw refused(server, "gave no token");
  if (!isBearer(tokens)) throw refused(server, "gave a token that cannot be sent");
  const { authorizationServerMetadata: metadata, authorizationServerUrl } = found.state;
  const value: SignedIn = {
    issuer: metadata?.issuer ?? authorizationServerUrl,
    metadata,
    resource,
    client,
    tokens,
    endsAt: endOf(tokens),
    scopes: found.page?.searchParams.get("scope") ?? undefined,
  };
  await store.change(async () => await Promise.resolve(stored(value)));
}

/** Returns whether a token can be sent in a header as a bearer token (RFC 6750 section 2.1). */
function isBearer({ access_token: token, token_type: type }: OAuthTokens): boolean {
  return type.toLowerCase() === "bearer" && /^[!-~]+$/.test(token);
}

/** Returns the address to which the code is sent: the token endpoint. */
function tokenPlaceOf(state: OAuthDiscoveryState | undefined): URL | undefined {
  const address =
    state?.authorizationServerMetadata?.token_endpoint ?? state?.authorizationServerUrl ?? "";
  return URL.canParse(address) ? new URL(address) : undefined;
}

/**
 * Returns the challenge of the server to a program without a sign-in. The metadata that it names must be on the
 * server's own host.
 */
async function challengeOf(
  server: string,
  url: string,
  fetch: Fetch,
): Promise<{ resourceMetadataUrl?: URL; scope?: string }> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
  });
  await response.body?.cancel();
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  if (resourceMetadataUrl !== undefined && resourceMetadataUrl.origin !== new URL(url).origin)
    throw refused(server, "names metadata on another host");
  return {
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
    ...(scope !== undefined && { scope }),
  };
}

function refused(server: string, reason: string): ToolError {
  return new ToolError("auth", `The server ${server} ${reason}. No sign-in was stored.`);
}
