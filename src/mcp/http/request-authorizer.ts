import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import type { GuessLimit } from "../../core/network-limits/guess-limit.ts";
import { addressOf } from "../../core/network-limits/sender-address.ts";
import type { HttpCaller, Proof } from "./callers.ts";
import type { HttpLimits } from "./limits.ts";

/** The reason for refusing a request, as an HTTP response. */
export interface Refusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
}

/** The web pages that may send requests: `own` are those of our host names, and `clients` also those of `origins`. */
export type Pages = "any" | "clients" | "own";

/** Checks the headers of a request before its body is read. */
export interface RequestAuthorizer {
  /** Refuses requests to other host names (DNS rebinding), and requests of pages whose origin is not allowed. */
  refuseSource(headers: IncomingHttpHeaders, pages?: Pages): Refusal | undefined;
  /** Refuses requests that are not MCP requests. */
  refuseForm(request: IncomingMessage): Refusal | undefined;
  /** Returns the caller, or the reason for the refusal. */
  identify(request: IncomingMessage): Promise<HttpCaller | Refusal>;
}

export interface RequestAuthorizerSettings {
  /** Accepted host names, without ports. */
  hostNames: readonly string[];
  /** Further origins whose pages may send requests. */
  origins?: readonly string[] | undefined;
  /** True if a trusted proxy is in front of this server and names the client in `X-Forwarded-For`. */
  behindProxy: boolean;
  prove: (authorization: string | undefined) => Proof | Promise<Proof>;
  /** The URL of the metadata for clients that sign in (RFC 9728, section 5.1). Undefined if they cannot. */
  resourceMetadata?: string | undefined;
  guesses: GuessLimit;
  limits: HttpLimits;
}

const methods = ["POST", "GET", "DELETE"];

export function createRequestAuthorizer(settings: RequestAuthorizerSettings): RequestAuthorizer {
  const { behindProxy, prove, guesses, limits, origins = [] } = settings;
  const hostNames = settings.hostNames.map(hostNameOf);
  const signIn =
    settings.resourceMetadata === undefined
      ? ""
      : `, resource_metadata="${settings.resourceMetadata}", scope="mcp"`;
  const invalid = ', error="invalid_token"';
  const noToken = (message: string, problem = ""): Refusal => ({
    status: 401,
    message,
    headers: { "www-authenticate": `Bearer realm="countersign"${problem}${signIn}` },
  });
  return {
    refuseSource: (headers, pages = "own") => {
      if (!validateHostHeader(headers.host, hostNames).ok) {
        return { status: 403, message: "Not a host name of this server. See ALLOWED_HOSTS." };
      }
      if (pages === "any") return undefined;
      if (pages === "clients" && origins.includes(headers.origin ?? "")) return undefined;
      if (!validateOriginHeader(headers.origin, hostNames).ok) {
        const message = "Requests from pages of other origins are refused. See ALLOWED_ORIGINS.";
        return { status: 403, message };
      }
      return undefined;
    },

    refuseForm: ({ method = "GET", headers }) => {
      if (!methods.includes(method)) {
        const allow = { allow: methods.join(", ") };
        return { status: 405, message: "Method not allowed.", headers: allow };
      }
      if (method === "GET" && !accepts(headers.accept, "text/event-stream")) {
        return { status: 406, message: "Accept must name text/event-stream." };
      }
      if (method !== "POST") return undefined;
      if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "")) {
        return { status: 415, message: "Content-Type must be application/json." };
      }
      if (
        !accepts(headers.accept, "application/json") ||
        !accepts(headers.accept, "text/event-stream")
      ) {
        return {
          status: 406,
          message: "Accept must name both application/json and text/event-stream.",
        };
      }
      if (Number(headers["content-length"]) > limits.bodyBytes) {
        return tooLarge(limits);
      }
      return undefined;
    },

    identify: async (request) => {
      const proof = await prove(request.headers.authorization);
      // A token that was once valid is not a guess. The response makes the client renew it.
      if (proof.given && proof.found === "ended") {
        return noToken("The token has expired, was revoked, or is not for this server.", invalid);
      }
      const found = proof.given && proof.found !== "ended" ? proof.found : undefined;
      if (found !== undefined && "waitSeconds" in found) return notChecked(found.waitSeconds);
      const caller = found;
      const address = addressOf(request, behindProxy);
      // During guessing even a correct token is refused, so that a guesser learns nothing. A caller that succeeded from
      // this address before is not affected.
      const isKnown = caller !== undefined && guesses.hasSucceeded(address, caller.principal);
      const wait = isKnown ? undefined : guesses.waitSeconds({ address }, "token");
      if (wait !== undefined && proof.given) {
        return {
          status: 429,
          message: `Too many wrong secrets from this network. Nothing was done. Try again in ${wait} s.`,
          headers: { "retry-after": String(wait) },
        };
      }
      if (caller !== undefined) {
        guesses.succeeded(address, caller.principal);
        return caller;
      }
      // Only a wrong token counts, because clients first send a request without a token to learn how to sign in.
      if (proof.given) guesses.failed({ address }, "token");
      return proof.given
        ? noToken("The token is not valid.", invalid)
        : noToken("A token is required: Authorization: Bearer TOKEN.");
    },
  };
}

/** Returns a 503, because a 401 would only make the client sign in again. */
function notChecked(waitSeconds: number): Refusal {
  return {
    status: 503,
    message: `The token could not be checked, because the authorization server does not answer. Nothing was done. Try again in ${waitSeconds} s.`,
    headers: { "retry-after": String(waitSeconds) },
  };
}

export function tooLarge({ bodyBytes }: HttpLimits): Refusal {
  return { status: 413, message: `A body may have ${bodyBytes} bytes at most.` };
}

function accepts(accept: string | undefined, mediaType: string): boolean {
  const [kind] = mediaType.split("/");
  const ranges = (accept ?? "")
    .split(",")
    .map((range) => range.split(";", 1)[0]?.trim().toLowerCase());
  return ranges.some((range) => range === mediaType || range === `${kind}/*` || range === "*/*");
}

/** Normalises a host name as in a URL: lower case, no port, IPv6 in brackets. */
function hostNameOf(name: string): string {
  const host = /^[^[].*:.*:/.test(name) ? `[${name}]` : name;
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host;
}
