import { createRemoteJWKSet, errors, jwtVerify } from "jose";
import type { Log } from "../../core/shared/log.ts";

/** The holder of a token of an organisation's own authorization server. */
export interface IssuedTo {
  principal: string;
  scopes: readonly string[];
}

/** Signatures with a public key only. A token cannot choose `none` or our public key as a shared secret (RFC 8725, 3.1). */
const algorithms = ["RS256", "PS256", "ES256", "ES384", "EdDSA", "Ed25519"];

/** A name as in `HTTP_TOKENS`, or an address, or an id such as `auth0|123`. */
const callerName = /^[A-Za-z0-9][\w.@|-]{0,63}$/;
const reserved = "local";

const answerWithinMs = 5_000;
/** How long the issuer's keys are used before they are read again. A token with an unknown key reads them earlier. */
const keysForMs = 10 * 60_000;
/** The clocks of two servers differ. Seconds. */
const clockTolerance = 30;
const maxTokenLength = 8_192;

/** Creates the check of tokens that another authorization server issues (RFC 9068). */
export function createTokenIssuer(settings: {
  issuer: string;
  audience: string;
  /** The claim with the caller's name. */
  callerClaim: string;
  log: Log;
}) {
  const { issuer, audience, callerClaim, log } = settings;
  let keys: Promise<ReturnType<typeof createRemoteJWKSet>> | undefined;

  async function keySet() {
    keys ??= readKeysAddress(issuer).then((address) =>
      createRemoteJWKSet(address, { timeoutDuration: answerWithinMs, cacheMaxAge: keysForMs }),
    );
    try {
      return await keys;
    } catch (thrown) {
      keys = undefined;
      throw thrown;
    }
  }

  return {
    /**
     * Returns the holder of a token. `ended` if the issuer signed it and it is not valid here, or the issuer does not
     * answer. Undefined if it did not sign it.
     */
    holderOf: async (token: string): Promise<IssuedTo | "ended" | undefined> => {
      if (token.length > maxTokenLength || token.split(".").length !== 3) return undefined;
      try {
        const { payload } = await jwtVerify(token, await keySet(), {
          issuer,
          audience,
          algorithms,
          clockTolerance,
          requiredClaims: ["exp"],
        });
        const name = payload[callerClaim];
        if (typeof name !== "string" || !callerName.test(name) || name === reserved) {
          log.warn("a token names no valid caller", { claim: callerClaim });
          return "ended";
        }
        return { principal: name, scopes: scopesIn(payload["scope"] ?? payload["scp"]) };
      } catch (thrown) {
        if (thrown instanceof errors.JWTClaimValidationFailed) return "ended";
        if (thrown instanceof errors.JWTExpired) return "ended";
        if (thrown instanceof errors.JWKSTimeout || !(thrown instanceof errors.JOSEError)) {
          log.warn("reading the keys of OAUTH_ISSUER failed", { cause: thrown });
          return "ended";
        }
        return undefined;
      }
    },
  };
}

/** Reads the address of the keys from the issuer's metadata (RFC 8414, or OpenID Connect Discovery). */
async function readKeysAddress(issuer: string): Promise<URL> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === "/" ? "" : pathname.replace(/\/$/, "");
  const places = [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
  for (const place of places) {
    const signal = AbortSignal.timeout(answerWithinMs);
    const response = await fetch(place, { redirect: "error", signal });
    if (!response.ok) continue;
    const found: unknown = await response.json();
    if (typeof found !== "object" || found === null) continue;
    // RFC 8414, section 3.3: metadata of another issuer must not be used.
    if (!("issuer" in found) || found.issuer !== issuer || !("jwks_uri" in found)) continue;
    const address = String(found.jwks_uri);
    if (URL.canParse(address) && address.startsWith("https://")) return new URL(address);
  }
  throw new Error("the issuer has no metadata with jwks_uri");
}

/** Returns the scopes of `scope` (RFC 8693, section 4.2), or of Microsoft's `scp`. */
function scopesIn(value: unknown): string[] {
  const all: unknown[] = typeof value === "string" ? value.split(" ") : [value].flat();
  return all.filter((each) => typeof each === "string");
}
