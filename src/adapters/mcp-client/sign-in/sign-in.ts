import {
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  auth,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
} from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/tool/tool-error.ts";
import type { SignInStore } from "../../../ports/upstream/sign-in-store.ts";
import type { OAuthClient } from "../../../ports/upstream/upstream-server.ts";
import { type Fetch, createDocumentFetch, isPrivateHost } from "../guarded-fetch.ts";
import { knownCode, signInFailed, watchedFetch } from "./oauth-problem.ts";
import { isSafePage, isSameSite } from "./sign-in-page.ts";
import { type SignedIn, isBearer, lifetimeOf, scopeUnion, signedIn, stored } from "./signed-in.ts";

/** Limit on the address of the sign-in page, which is printed and passed to a browser. Characters. */
const longestPage = 16_384;

/** The receiver of the browser's redirect, on this machine. */
export interface Return {
  redirectUrl: string;
  /** Resolves with the parameters of the response that has this state. */
  parameters(state: string): Promise<URLSearchParams>;
}

export interface SignInSettings {
  server: string;
  url: string;
  /** The registration that the person made at the authorization server. Without one, Countersign registers itself. */
  registered?: OAuthClient | undefined;
  store: SignInStore;
  back: Return;
  state: string;
  /** Shows the person the consent page. */
  show: (url: URL) => Promise<void>;
}

/** The authorization request, as the SDK's `auth` leaves it. */
interface AuthorizationRequest {
  page?: URL;
  verifier?: string;
  client: OAuthClientInformationMixed | undefined;
  resource?: string;
  discovery: OAuthDiscoveryState;
}

/**
 * Signs a person in at a server: OAuth 2.1 with PKCE. The metadata of the server and of its authorization server must
 * each name the server from which it was read (RFC 9728, RFC 8414, RFC 9207).
 * @throws ToolError
 */
export async function signIn(settings: SignInSettings): Promise<void> {
  const { server, url, store } = settings;
  const http = createDocumentFetch(url);
  const watched = watchedFetch(http.fetch);
  let value: SignedIn;
  try {
    const request = await prepareRequest(settings, watched.fetch);
    const { page } = request;
    if (page === undefined || !isSafePage(page, new URL(url)))
      throw refused(server, "names a sign-in page without TLS");
    if (page.hostname !== new URL(url).hostname && isPrivateHost(page.hostname))
      throw refused(server, "names a sign-in page at a private address");
    if (page.href.length > longestPage)
      throw refused(server, "names a sign-in page with a longer address than browsers open");
    await settings.show(page);
    const returned = await settings.back.parameters(settings.state);
    value = await exchangeCode(settings, { ...request, page }, returned, watched.fetch);
  } catch (thrown) {
    throw thrown instanceof ToolError ? thrown : signInFailed(server, thrown, watched);
  } finally {
    http.close();
  }
  await store.change(async () => await Promise.resolve(stored(value)));
}

/** Finds the authorization server, registers at it if necessary, and makes the address of the consent page. */
async function prepareRequest(
  settings: SignInSettings,
  fetchFn: Fetch,
): Promise<AuthorizationRequest> {
  const { url, registered, back, state } = settings;
  const { discovery, scope } = await discover(settings, fetchFn);
  const request: AuthorizationRequest = {
    client: registered && {
      client_id: registered.id,
      ...(registered.secret !== undefined && { client_secret: registered.secret }),
    },
    discovery,
  };
  const provider: OAuthClientProvider = {
    redirectUrl: back.redirectUrl,
    clientMetadata: {
      client_name: "Countersign",
      redirect_uris: [back.redirectUrl],
      token_endpoint_auth_method: authMethod(
        discovery.authorizationServerMetadata?.token_endpoint_auth_methods_supported,
      ),
    },
    state: () => state,
    clientInformation: () => request.client,
    saveClientInformation: (given) => void (request.client = given),
    tokens: () => undefined,
    saveTokens: () => undefined,
    redirectToAuthorization: (page) => void (request.page = page),
    saveCodeVerifier: (verifier) => void (request.verifier = verifier),
    codeVerifier: () => request.verifier ?? "",
    saveDiscoveryState: (given) => void (request.discovery = given),
    discoveryState: () => request.discovery,
    saveResourceUrl: (given) => void (request.resource = given),
  };
  await auth(provider, {
    serverUrl: url,
    fetchFn: endingAtFault(fetchFn),
    ...(scope !== undefined && { scope }),
  });
  return request;
}

/** Reads the metadata of the server and of its authorization server, and chooses the scopes to request. */
async function discover(
  { server, url, store }: SignInSettings,
  fetchFn: Fetch,
): Promise<{ discovery: OAuthDiscoveryState; scope: string | undefined }> {
  const { scopes, neededScopes } = signedIn(store.read()) ?? {};
  const asked = await challengeOf(server, url, fetchFn);
  const places = await discoverOAuthServerInfo(url, {
    ...asked,
    fetchFn: endingAtFault(fetchFn),
  });
  const { scopes_supported: offered, ...resourceMetadata } = places.resourceMetadata ?? {};
  const scope = scopeUnion(
    asked.scope ?? offered?.join(" "),
    // A sign-in replaces the former one, so it also requests the scopes of that one.
    ...(neededScopes === undefined ? [] : [scopes, neededScopes]),
  );
  if (places.resourceMetadata === undefined) return { discovery: places, scope };
  // The SDK would request all of the offered scopes, however long they are.
  const { resource } = places.resourceMetadata;
  return { discovery: { ...places, resourceMetadata: { ...resourceMetadata, resource } }, scope };
}

/**
 * Exchanges the code that came back from the consent page for tokens.
 * @param returned the parameters with which the browser returned
 * @throws ToolError if it has no code, or another server than that of the page would get the code
 */
async function exchangeCode(
  { server, back }: SignInSettings,
  request: AuthorizationRequest & { page: URL },
  returned: URLSearchParams,
  fetchFn: Fetch,
): Promise<SignedIn> {
  const { page, verifier, client, resource, discovery } = request;
  const code = returned.get("code");
  if (code === null) throw withoutCode(server, returned);
  const iss = returned.get("iss") ?? undefined;
  const { authorizationServerMetadata: metadata, authorizationServerUrl } = discovery;
  // A malicious server could name the sign-in page of another server, and receive that server's code (RFC 9700
  // section 4.4).
  const isUnknown = iss === undefined || metadata === undefined;
  if (isUnknown && !isSameSite(page, tokenPlaceOf(discovery)))
    throw refused(server, "would get the code of a sign-in page on another host");
  if (client === undefined || verifier === undefined) throw refused(server, "gave no token");
  // The SDK's `auth` would send the code twice after some errors, and print what the server answered.
  const tokens = await exchangeAuthorization(authorizationServerUrl, {
    ...(metadata && { metadata }),
    clientInformation: client,
    authorizationCode: code,
    ...(iss !== undefined && { iss }),
    codeVerifier: verifier,
    redirectUri: back.redirectUrl,
    ...(resource !== undefined && { resource }),
    fetchFn,
  });
  if (!isBearer(tokens)) throw refused(server, "gave a token that cannot be sent");
  return {
    issuer: metadata?.issuer ?? authorizationServerUrl,
    metadata,
    resource,
    client,
    tokens,
    ...lifetimeOf(tokens, Date.now()),
    scopes: page.searchParams.get("scope") ?? undefined,
  };
}

/** Returns how Countersign proves at the token endpoint that it is the registered program: not at all, if possible. */
function authMethod(supported: readonly string[] = ["none"]): string {
  const methods = ["none", "client_secret_basic", "client_secret_post"];
  return methods.find((method) => supported.includes(method)) ?? "none";
}

function withoutCode(server: string, returned: URLSearchParams): ToolError {
  const code = knownCode(returned.get("error"));
  const isDenied = code === undefined || code === "access_denied";
  return refused(
    server,
    `returned without a code: ${isDenied ? "the sign-in was not allowed" : `its sign-in page answered with the error ${code}`}`,
  );
}

/** Returns the address to which the code is sent: the token endpoint. */
function tokenPlaceOf(state: OAuthDiscoveryState | undefined): URL | undefined {
  const address =
    state?.authorizationServerMetadata?.token_endpoint ?? state?.authorizationServerUrl ?? "";
  return URL.canParse(address) ? new URL(address) : undefined;
}

/**
 * Returns a `fetch` that fails again after its first failure. The SDK would ignore the failure of one document and
 * request the next one.
 */
function endingAtFault(fetch: Fetch): Fetch {
  let fault: { thrown: unknown } | undefined;
  return async (address, init) => {
    if (fault !== undefined) throw fault.thrown;
    try {
      const response = await fetch(address, init);
      if (response.body === null) return response;
      const { status, headers } = response;
      return new Response(await response.text(), { status, headers });
    } catch (thrown) {
      fault = { thrown };
      throw thrown;
    }
  };
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
