import { createHash, timingSafeEqual } from "node:crypto";

/** A caller: a name and the SHA-256 of its token. The token itself is not needed. */
export interface Caller {
  principal: string;
  tokenHash: Uint8Array;
}

/** An authenticated caller. */
export interface HttpCaller {
  principal: string;
  /** True if the token is only for low-risk tools. */
  lowRiskOnly?: boolean | undefined;
  /** The grant of a client that signed in on our own server. */
  grantId?: string | undefined;
}

/** A caller, a token that was valid once, a token that cannot be checked now, or undefined for a wrong token. */
export type Found = HttpCaller | "ended" | { waitSeconds: number } | undefined;

/** The identity that an `Authorization` header proves. */
export type Proof = { given: false } | { given: true; found: Found };

/** Returns the caller of a token that is not in `HTTP_TOKENS`, such as an OAuth token. */
export type TokenLookup = (token: string) => Promise<Found>;

export function tokenHash(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}

/**
 * Creates the reader of bearer tokens (RFC 6750, section 2.1). It compares a token with every caller's in constant
 * time, so that the duration reveals nothing.
 */
export function createProofReader(
  callers: readonly Caller[],
  lookUp?: TokenLookup,
): (authorization: string | undefined) => Proof | Promise<Proof> {
  return (authorization) => {
    const token = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? "")?.[1];
    if (token === undefined) return { given: false };
    const hash = tokenHash(token);
    let principal: string | undefined;
    for (const caller of callers) {
      if (timingSafeEqual(hash, caller.tokenHash)) principal = caller.principal;
    }
    if (principal !== undefined) return { given: true, found: { principal } };
    if (lookUp === undefined) return { given: true, found: undefined };
    return lookUp(token).then((found) => ({ given: true, found }));
  };
}
