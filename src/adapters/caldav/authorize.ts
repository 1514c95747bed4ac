import type { refreshAccessToken } from "tsdav";
import { refusedCredentials } from "./errors.ts";
import { type Authorize, exchange, type DavResponse } from "./http.ts";
import type { CaldavSettings } from "./settings.ts";

/**
 * An access token is renewed this long before it expires, because it must be valid during the whole request.
 * Milliseconds.
 */
const renewBefore = 60_000;
/** The assumed lifetime of a token if the server names none, contrary to the recommendation of RFC 6749. Seconds. */
const likelyLifetime = 600;

type RefreshToken = typeof refreshAccessToken;

export function createAuthorize(
  { username, auth }: CaldavSettings,
  loadRefresh: () => Promise<RefreshToken>,
): Authorize {
  if (auth.kind === "basic") {
    return () => {
      const pair = Buffer.from(`${username}:${auth.password.reveal()}`).toString("base64");
      return Promise.resolve(`Basic ${pair}`);
    };
  }
  let token: { value: string; until: number } | undefined;
  return async (signal, isRepeat) => {
    if (token !== undefined && !isRepeat && Date.now() < token.until)
      return `Bearer ${token.value}`;
    const refresh = await loadRefresh();
    const { tokenUrl, clientId, clientSecret, refreshToken } = auth;
    const credentials = {
      tokenUrl,
      clientId,
      clientSecret: clientSecret.reveal(),
      refreshToken: refreshToken.reveal(),
    };
    const tokens = await refresh(credentials, {}, async (_url, init) => {
      // The refresh token is sent to the configured address only. Redirects are not followed.
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const body = typeof init?.body === "string" ? init.body : "";
      return toResponse(
        await exchange(tokenUrl, { method: "POST", headers, body, signal }, undefined, false),
      );
    });
    if (tokens.access_token === undefined) throw refusedCredentials("oauth");
    const lifetimeMs = (tokens.expires_in ?? likelyLifetime) * 1000;
    token = { value: tokens.access_token, until: Date.now() + lifetimeMs - renewBefore };
    return `Bearer ${token.value}`;
  };
}

/** Converts our response to the form that tsdav reads. */
export function toResponse({ status, headers, text }: DavResponse): Response {
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  return new Response(hasBody ? text : null, {
    status,
    headers: { "content-type": headers.get("content-type") ?? "" },
  });
}
