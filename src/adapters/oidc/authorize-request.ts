import { scopes } from "../../ports/people/consent.ts";

type Query = Record<string, string | string[] | undefined>;

/**
 * The parameters that have a meaning here. The library refuses some others, such as `acr_values` without `openid`, but
 * clients send the same request to every server. Unknown parameters must be ignored (RFC 6749, section 3.1).
 */
const meaningful = new Set([
  "client_id",
  "redirect_uri",
  "response_type",
  "response_mode",
  "scope",
  "state",
  "nonce",
  "code_challenge",
  "code_challenge_method",
  "resource",
  "prompt",
  "request",
  "request_uri",
]);
const knownPrompts = new Set(["none", "login", "consent"]);
const knownScopes = new Set<string>(["openid", "offline_access", ...scopes]);

/** Returns the authorization request as the library should see it. */
export function understood(query: Query, resource: string): Query {
  const kept = Object.entries(query).filter(([name]) => meaningful.has(name));
  const { prompt: prompts, ...rest } = Object.fromEntries(kept);
  const prompt =
    typeof prompts === "string"
      ? prompts
          .split(" ")
          .filter((each) => knownPrompts.has(each))
          .join(" ")
      : prompts;
  return {
    ...rest,
    ...(prompt !== undefined && prompt !== "" && { prompt }),
    ...(query["resource"] !== undefined && {
      resource: ownResource([query["resource"]].flat(), resource),
    }),
    scope: askedScope(query["scope"]),
  };
}

/**
 * Returns the scope of a request. Many clients ask for none, or for an unknown one, and then get the larger scope. The
 * person may choose the smaller one instead.
 */
function askedScope(given: string | string[] | undefined): string | string[] {
  if (Array.isArray(given)) return given;
  const asked = (given ?? "").split(" ").filter((each) => knownScopes.has(each));
  if (!scopes.some((each) => asked.includes(each))) asked.push("mcp");
  if (asked.includes("mcp")) asked.push("mcp:read");
  return [...new Set(asked)].join(" ");
}

/**
 * Returns the resources of a request (RFC 8707) in our own spelling. A client repeats the address as the person entered
 * it: with a slash at the end, in capitals or with its port.
 */
export function ownResource(
  asked: readonly string[],
  resource: string,
): string | string[] | undefined {
  const own = asked.map((each) => (isOwn(each, resource) ? resource : each));
  const distinct = [...new Set(own)];
  return distinct.length > 1 ? distinct : distinct[0];
}

function isOwn(asked: string, resource: string): boolean {
  if (!URL.canParse(asked)) return false;
  const { href, hash } = new URL(asked);
  return hash === "" && !asked.includes("#") && href.replace(/\/$/, "") === resource;
}
