import type { refreshAccessToken } from "tsdav";
import { refusedCredentials } from "./errors.ts";
import { exchange, type DavResponse } from "./http.ts";
import type { CaldavSettings } from "./settings.ts";

/** The Authorization header. `isRepeat`: the one before was refused. */
export type Authorize = (signal: AbortSignal, isRepeat: boolean) => Promise<string>;

/** An access token is renewed this long before it ends: it has to survive the request. Milliseconds. */
const renewBefore = 60_000;
/** Where the server does not say how long a token lives: RFC 6749 recommends that it says so. Seconds. */
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
    const answer = await refresh(credentials, {}, async (_url, init) => {
      // The token goes to the configured address only; a redirect is not followed.
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const body = typeof init?.body === "string" ? init.body : "";
      return toResponse(
        await exchange(tokenUrl, { method: "POST", headers, body, signal }, undefined, false),
      );
    });
    if (answer.access_token === undefined) throw refusedCredentials("oauth");
    const lifetimeMs = (answer.expires_in ?? likelyLifetime) * 1000;
    token = { value: answer.access_token, until: Date.now() + lifetimeMs - renewBefore };
    return `Bearer ${token.value}`;
  };
}

/** Our answer in the form that tsdav reads. */
export function toResponse({ status, headers, text }: DavResponse): Response {
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  return new Response(hasBody ? text : null, {
    status,
    headers: { "content-type": headers.get("content-type") ?? "" },
  });
}
