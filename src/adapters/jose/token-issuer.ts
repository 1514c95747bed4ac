import {
  type JWTVerifyGetKey,
  type JWTVerifyResult,
  createRemoteJWKSet,
  customFetch,
  errors,
  jwtVerify,
} from "jose";
import type { Log } from "../../core/shared/log.ts";
import { createSeldomWarning } from "../../core/shared/warn-seldom.ts";
import { ToolError } from "../../core/tool/tool-error.ts";

/** The holder of a token of an organisation's own authorization server. */
export interface IssuedTo {
  principal: string;
  lowRiskOnly?: boolean;
}

/**
 * Only signatures with a public key, so that a token cannot select `none`, or a public key as a shared secret (RFC
 * 8725, 3.1).
 */
const algorithms = ["RS256", "PS256", "ES256", "ES384", "EdDSA", "Ed25519"];

/** A name as in `HTTP_TOKENS`, or an address, or an id such as `auth0|123`. */
const callerName = /^[A-Za-z0-9][\w.@|-]{0,63}$/;
const reserved = "local";

const answerWithinMs = 5_000;
/** The pause after a failure to read the keys. Milliseconds. */
const retryAfterMs = 5_000;
/** How long the issuer's keys are used before they are read again. A token with an unknown key reads them earlier. */
const keysForMs = 10 * 60_000;
/** Tolerance for the difference between the clocks of two servers. Seconds. */
const clockTolerance = 30;
/** How often tokens with unknown keys may have the keys read again. Milliseconds. */
const unknownKeyEveryMs = 5_000;
const maxTokenLength = 8_192;
/** Metadata and keys are a few kB. Bytes. */
const maxResponseBytes = 262_144;

/** The issuer's keys could not be read, so no token can be checked. */
class KeysUnreadable extends Error {
  override readonly name = "KeysUnreadable";
}

/** The errors for a key that the issuer does not have. Any other error means that its keys could not be read. */
const keyErrors = [
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSENotSupported,
];

/** Creates the check of tokens that another authorization server issues (RFC 9068). */
export function createTokenIssuer(settings: {
  issuer: string;
  audience: string;
  /** The claim with the caller's name. */
  callerClaim: string;
  log: Log;
  /** Milliseconds. */
  elapsed?: () => number;
}) {
  const { issuer, audience, callerClaim, log, elapsed = () => performance.now() } = settings;
  const keys = createKeys(issuer, elapsed);
  const warn = createSeldomWarning(log, elapsed);

  return {
    /**
     * Returns the holder of a token, or `ended` if the issuer signed it but it is not valid here, or undefined if the
     * issuer did not sign it. If the issuer's keys cannot be read, returns the seconds to wait.
     */
    holderOf: async (
      token: string,
    ): Promise<IssuedTo | "ended" | { waitSeconds: number } | undefined> => {
      if (token.length > maxTokenLength || token.split(".").length !== 3) return undefined;
      try {
        const { payload }: JWTVerifyResult = await jwtVerify(token, keys.find, {
          issuer,
          audience,
          algorithms,
          clockTolerance,
          requiredClaims: ["exp"],
        });
        const name = payload[callerClaim];
        if (typeof name !== "string" || !callerName.test(name) || name === reserved) {
          warn(
            `a token of OAUTH_ISSUER was refused: its claim "${callerClaim}" names no valid caller (OAUTH_CALLER_CLAIM)`,
          );
          return "ended";
        }
        const scopes = scopesIn(payload["scope"] ?? payload["scp"]);
        if (scopes.includes("mcp")) return { principal: name };
        if (scopes.includes("mcp:read")) return { principal: name, lowRiskOnly: true };
        warn("a token of OAUTH_ISSUER was refused: it has neither the scope mcp nor mcp:read");
        return "ended";
      } catch (thrown) {
        if (thrown instanceof errors.JWTClaimValidationFailed) {
          const { claim } = thrown;
          const expected = new Map([
            ["aud", `, it must be ${audience} (OAUTH_AUDIENCE)`],
            ["iss", `, it must be ${issuer} (OAUTH_ISSUER)`],
          ]);
          warn(
            `a token of OAUTH_ISSUER was refused: its claim "${claim}" is missing or wrong${expected.get(claim) ?? ""}`,
          );
          return "ended";
        }
        if (thrown instanceof errors.JWTExpired) return "ended";
        if (thrown instanceof KeysUnreadable) {
          if (thrown.cause !== undefined) {
            const text =
              "reading the keys of OAUTH_ISSUER failed; calls with its tokens get status 503";
            log.warn(text, { cause: thrown.cause });
          }
          return { waitSeconds: Math.ceil(retryAfterMs / 1_000) };
        }
        return undefined;
      }
    },

    /** @throws ToolError if the keys cannot be read */
    check: async (): Promise<void> => {
      try {
        await (await keys.open()).reload();
      } catch (cause) {
        const text = "The keys of the authorization server could not be read.";
        throw new ToolError("unavailable", text, {
          hint: `Check OAUTH_ISSUER: ${issuer} must be reachable from here and name its jwks_uri.`,
          cause,
        });
      }
    },
  };
}

/**
 * Creates the reader of the issuer's keys. After a failure it pauses, so that not every caller waits for an attempt.
 */
function createKeys(issuer: string, elapsed: () => number) {
  let opening: Promise<ReturnType<typeof createRemoteJWKSet>> | undefined;
  let isFresh = (): boolean => false;
  let failedUntil = 0;

  async function open() {
    opening ??= readKeysAddress(issuer).then((address) =>
      createRemoteJWKSet(address, {
        timeoutDuration: answerWithinMs,
        cacheMaxAge: keysForMs,
        cooldownDuration: unknownKeyEveryMs,
        [customFetch]: boundedFetch,
      }),
    );
    try {
      const set = await opening;
      isFresh = () => set.fresh;
      return set;
    } catch (thrown) {
      opening = undefined;
      throw thrown;
    }
  }

  const find: JWTVerifyGetKey = async (header, token) => {
    if (!isFresh() && elapsed() < failedUntil) throw new KeysUnreadable();
    try {
      return await (
        await open()
      )(header, token);
    } catch (cause) {
      if (keyErrors.some((kind) => cause instanceof kind)) throw cause;
      failedUntil = elapsed() + retryAfterMs;
      throw new KeysUnreadable("", { cause });
    }
  };
  return { find, open };
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
    const response = await boundedFetch(place, { redirect: "error", signal });
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

/** Returns the response of `fetch`, up to a limit. */
async function boundedFetch(place: string, init: RequestInit): Promise<Response> {
  const { status, body } = await fetch(place, init);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop closes the connection.
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength;
    if (bytes > maxResponseBytes)
      throw new Error(`the issuer's response has more than ${maxResponseBytes} bytes`);
    pieces.push(piece);
  }
  return new Response(Buffer.concat(pieces), { status });
}

/** Returns the scopes of `scope` (RFC 8693, section 4.2), or of Microsoft's `scp`. */
function scopesIn(value: unknown): string[] {
  const all: unknown[] = typeof value === "string" ? value.split(" ") : [value].flat();
  return all.filter((each) => typeof each === "string");
}
