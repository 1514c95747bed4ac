import { refreshAuthorization } from "@modelcontextprotocol/client";
import type { Log } from "../../../core/shared/log.ts";
import { retryAfterSeconds } from "../../../core/shared/retry-after.ts";
import type { SignInStore } from "../../../ports/upstream/sign-in-store.ts";
import type { UpstreamSignIn } from "../../../ports/upstream/upstream-server.ts";
import { RequestFault } from "../errors.ts";
import { createDocumentFetch } from "../guarded-fetch.ts";
import { oauthProblem, watchedFetch } from "./oauth-problem.ts";
import { type SignedIn, isBearer, lifetimeOf, scopeUnion, signedIn, stored } from "./signed-in.ts";

/** A token is renewed this long before it expires, because a request takes time. Milliseconds. */
const renewBeforeMs = 60_000;
/** A token with a short life is renewed in the last quarter of it. Otherwise each request would renew it. */
const renewInLastPart = 1 / 4;
/** After a failure that may pass, the authorization server is left alone for this time. Seconds. */
const pauseSeconds = 10;
const longestPauseSeconds = 300;

/**
 * Creates the access to the tokens of a stored sign-in. One process at a time renews them, because a refresh token can
 * be used only once.
 */
export function createSignIn(
  server: string,
  settings: { url: string; store: SignInStore; log: Log; now?: () => number },
): UpstreamSignIn {
  const { url, store, log, now = Date.now } = settings;
  let renewing: { refused: string; token: Promise<string | undefined> } | undefined;
  let failed: { token: string; fault: RequestFault; until: number } | undefined;

  async function renewedUnderLock(refused: string): Promise<string | undefined> {
    let token: string | undefined;
    await store.change(async (current) => {
      const known = signedIn(current);
      if (known === undefined) return undefined;
      const { access_token: accessToken, refresh_token: refreshToken } = known.tokens;
      if (accessToken !== refused) {
        token = accessToken;
        return current;
      }
      if (refreshToken === undefined) return current;
      const next = await refreshed(known, refreshToken);
      if (next.tokens !== known.tokens && next.tokens.access_token !== refused)
        token = next.tokens.access_token;
      return stored(next);
    });
    return token;
  }

  /** Returns the sign-in without its refresh token if it is refused. @throws RequestFault for a failure that may pass */
  async function refreshed(known: SignedIn, refreshToken: string): Promise<SignedIn> {
    const http = createDocumentFetch(url);
    const watched = watchedFetch(http.fetch);
    try {
      const tokens = await refreshAuthorization(known.issuer, {
        ...(known.metadata && { metadata: known.metadata }),
        clientInformation: known.client,
        refreshToken,
        ...(known.resource !== undefined && { resource: known.resource }),
        fetchFn: watched.fetch,
      });
      if (isBearer(tokens)) return { ...known, tokens, ...lifetimeOf(tokens, now()) };
      return ended(known, "gave a token that cannot be sent");
    } catch (cause) {
      const { reason, isFinal } = oauthProblem(cause, watched);
      if (isFinal) return ended(known, reason);
      report(reason);
      const asked = retryAfterSeconds(watched.last()?.headers.get("retry-after") ?? null);
      const seconds = Math.min(longestPauseSeconds, Math.max(pauseSeconds, asked ?? 0));
      const fault = new RequestFault(
        `needs a renewed sign-in, but its authorization server ${reason}`,
        { retryAfterSeconds: seconds, mayPass: true },
      );
      failed = { token: known.tokens.access_token, fault, until: now() + seconds * 1_000 };
      throw fault;
    } finally {
      http.close();
    }
  }

  /** Logs a failure without its cause, because the text of the server may repeat the token. */
  function report(reason: string): void {
    log.warn("renewing the sign-in at an upstream server failed", { server, reason });
  }

  /** Drops a refresh token that is used up or refused, so that it is not sent again. */
  function ended(known: SignedIn, reason: string): SignedIn {
    report(reason);
    const { refresh_token: _useless, ...tokens } = known.tokens;
    return { ...known, tokens };
  }

  async function renewed(refused: string): Promise<string | undefined> {
    if (failed !== undefined && failed.token === refused && now() < failed.until)
      throw failed.fault;
    // Calls of this process share one renewal, so that a slow server delays them once.
    if (renewing?.refused !== refused) renewing = { refused, token: renewedOnce(refused) };
    return await renewing.token;
  }

  async function renewedOnce(refused: string): Promise<string | undefined> {
    try {
      return await renewedUnderLock(refused);
    } finally {
      if (renewing?.refused === refused) renewing = undefined;
    }
  }

  return {
    renewed,
    needs: async (scopes) =>
      await store.change(async (current) => {
        const known = signedIn(current);
        const neededScopes = scopeUnion(known?.neededScopes, scopes);
        return await Promise.resolve(known && stored({ ...known, neededScopes }));
      }),
    token: async () => {
      const known = signedIn(store.read());
      if (known === undefined) return undefined;
      const { tokens, endsAt, lifeMs = Number.POSITIVE_INFINITY } = known;
      const early = Math.min(renewBeforeMs, lifeMs * renewInLastPart);
      const isEnding = endsAt !== undefined && endsAt - now() < early;
      if (!isEnding || tokens.refresh_token === undefined) return tokens.access_token;
      try {
        return (await renewed(tokens.access_token)) ?? tokens.access_token;
      } catch (thrown) {
        // The old token may still be accepted. Otherwise its refusal ends in the same fault.
        if (thrown instanceof RequestFault) return tokens.access_token;
        throw thrown;
      }
    },
  };
}
