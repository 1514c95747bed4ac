import { createHash, timingSafeEqual } from "node:crypto";

/** Who may call: a name and the SHA-256 of the token that proves it. The token itself need not be known here. */
export interface Caller {
  principal: string;
  tokenHash: Uint8Array;
}

/** What an `Authorization` header proves. */
export type Proof = { given: false } | { given: true; principal: string | undefined };

export function tokenHash(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}

/**
 * Reads the bearer token of an `Authorization` header (RFC 6750, section 2.1). It is compared with every caller's, all the way:
 * neither how much of it was right nor whose it nearly was shows in the time.
 */
export function createProofReader(
  callers: readonly Caller[],
): (authorization: string | undefined) => Proof {
  return (authorization) => {
    const token = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? "")?.[1];
    if (token === undefined) return { given: false };
    const hash = tokenHash(token);
    let principal: string | undefined;
    for (const caller of callers) {
      if (timingSafeEqual(hash, caller.tokenHash)) principal = caller.principal;
    }
    return { given: true, principal };
  };
}
