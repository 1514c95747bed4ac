import { OAuthError, RegistrationRejectedError } from "@modelcontextprotocol/client";
import { z } from "zod";
import { isData } from "../../../core/shared/data.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import { RequestFault } from "../errors.ts";
import type { Fetch } from "../guarded-fetch.ts";

/** Milliseconds. */
const answerWithinMs = 15_000;

/**
 * The errors of RFC 6749 sections 4.1.2.1 and 5.2, RFC 7009, RFC 7591 section 3.2.2, RFC 8707 and OpenID Connect. All
 * other text of a server is left out, because it may repeat a code or a token.
 */
const knownCodes: ReadonlySet<string> = new Set([
  "access_denied",
  "consent_required",
  "interaction_required",
  "invalid_client",
  "invalid_client_metadata",
  "invalid_grant",
  "invalid_redirect_uri",
  "invalid_request",
  "invalid_scope",
  "invalid_target",
  "login_required",
  "server_error",
  "slow_down",
  "temporarily_unavailable",
  "unauthorized_client",
  "unsupported_grant_type",
  "unsupported_response_type",
  "unsupported_token_type",
]);
/** The errors after which the same request may succeed. */
const passing: ReadonlySet<string> = new Set([
  "server_error",
  "slow_down",
  "temporarily_unavailable",
]);

/** A `fetch` with a time limit, and the last response that it received. */
export interface WatchedFetch {
  fetch: Fetch;
  last(): Pick<Response, "status" | "headers"> | undefined;
}

export function watchedFetch(fetch: Fetch): WatchedFetch {
  let last: Response | undefined;
  return {
    fetch: async (url, init) => {
      last = undefined;
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(answerWithinMs) });
      last = response;
      return await withoutNulls(response);
    },
    last: () => last,
  };
}

/**
 * Returns a response whose JSON object has no field with null. Servers in other languages write it for an absent field,
 * and the SDK would reject the whole response. JSON can be read again.
 */
async function withoutNulls(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (headers.get("content-type")?.startsWith("application/json") !== true) return response;
  const given: unknown = await response.json().catch(() => undefined);
  if (!isData(given) || !Object.values(given).includes(null)) return response;
  const present = Object.entries(given).filter(([, value]) => value !== null);
  return Response.json(Object.fromEntries(present), { status, headers });
}

export interface OAuthProblem {
  /** Continues the words "its authorization server". */
  reason: string;
  /** True if the same request would fail again. */
  isFinal: boolean;
}

/** Returns why a request to an authorization server failed, without any of its text. */
export function oauthProblem(cause: unknown, { last }: Pick<WatchedFetch, "last">): OAuthProblem {
  const status = last()?.status ?? 0;
  if (cause instanceof RequestFault) return { reason: cause.reason, isFinal: false };
  if (cause instanceof Error && (cause.name === "TimeoutError" || cause.name === "AbortError"))
    return { reason: `did not answer within ${answerWithinMs / 1000} s`, isFinal: false };
  if (RegistrationRejectedError.isInstance(cause)) {
    const code = codeIn(cause.body);
    const words = code === undefined ? "" : `, ${code}`;
    return {
      reason: `did not register Countersign (HTTP status ${cause.status}${words})`,
      isFinal: true,
    };
  }
  const code = OAuthError.isInstance(cause) ? knownCode(cause.code) : undefined;
  if (code !== undefined && !passing.has(code) && status < 500)
    return { reason: `answered with the error ${code}`, isFinal: true };
  if (status >= 400) return { reason: `answered with the HTTP status ${status}`, isFinal: false };
  return { reason: "answered in a form that is not OAuth", isFinal: false };
}

/** Returns an error code that a specification defines. Undefined for any other text. */
export function knownCode(code: string | null): string | undefined {
  return code !== null && knownCodes.has(code) ? code : undefined;
}

const errorBody = z.looseObject({ error: z.string() });

function codeIn(body: string): string | undefined {
  try {
    return knownCode(errorBody.parse(JSON.parse(body)).error);
  } catch {
    return undefined;
  }
}

/** Returns the error of a sign-in that did not end with a token. The server's own text is not part of it. */
export function signInFailed(
  server: string,
  cause: unknown,
  watched: Pick<WatchedFetch, "last">,
): ToolError {
  const { name, message } = cause instanceof Error ? cause : new Error();
  const none = "No sign-in was stored.";
  const refusal = mismatchOf(name, message);
  if (refusal !== undefined)
    return new ToolError("auth", `The sign-in at the server ${server} ${refusal}. ${none}`, {
      cause,
    });
  if (cause instanceof RequestFault)
    return new ToolError("auth", `The server ${server} ${cause.reason}. ${none}`, { cause });
  // The SDK has no types for these two.
  const needsClient =
    RegistrationRejectedError.isInstance(cause) || message.includes("dynamic client registration");
  const hint = `If you can register an OAuth client there, add its "oauth": { "clientId": "..." } to the entry of ${server} in servers.json.`;
  const reason = message.startsWith("Incompatible auth server")
    ? incompatible(message)
    : oauthProblem(cause, watched).reason;
  return new ToolError(
    "auth",
    `The sign-in at the server ${server} failed: its authorization server ${reason}. ${none}`,
    { cause, ...(needsClient && { hint }) },
  );
}

function incompatible(message: string): string {
  return message.includes("registration")
    ? "does not accept registrations of clients"
    : "does not support PKCE with S256";
}

function mismatchOf(name: string, message: string): string | undefined {
  if (name === "IssuerMismatchError" || name === "AuthorizationServerMismatchError")
    return "was refused here: its metadata belongs to another authorization server";
  if (message.startsWith("Protected resource"))
    return "was refused here: its metadata belongs to another server";
  return name === "InsecureTokenEndpointError"
    ? "was refused here: a token would go without TLS"
    : undefined;
}
