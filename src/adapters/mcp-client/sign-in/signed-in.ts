import type {
  AuthorizationServerMetadata,
  OAuthClientInformationMixed,
  OAuthTokens,
} from "@modelcontextprotocol/client";
import type { StoredSignIn } from "../../../ports/upstream/sign-in-store.ts";

/** The content of the store. It is encrypted for this program alone, so its form is not checked again. */
export interface SignedIn {
  issuer: string;
  metadata?: AuthorizationServerMetadata | undefined;
  resource?: string | undefined;
  client: OAuthClientInformationMixed;
  tokens: OAuthTokens;
  /** Milliseconds since 1970. Undefined if the server did not say. */
  endsAt?: number | undefined;
  /** How long the access token is valid. */
  lifeMs?: number | undefined;
  /** The scopes that were requested. */
  scopes?: string | undefined;
  /** The scopes that the server asked for later. */
  neededScopes?: string | undefined;
}

/** The scopes of one sign-in together. A hostile server must not fill the address of the page. Characters. */
const maxScopes = 2_000;

export function signedIn(stored: StoredSignIn | undefined): SignedIn | undefined {
  return stored as SignedIn | undefined;
}

export function stored(value: SignedIn): StoredSignIn {
  return { ...value };
}

/** Returns each scope of several lists once, as many whole ones as fit. Undefined without any. */
export function scopeUnion(...lists: readonly (string | undefined)[]): string | undefined {
  const all = new Set(lists.flatMap((list) => list?.split(" ") ?? []).filter(Boolean));
  let characters = 0;
  const fitting = [...all].filter((scope) => {
    if (characters + scope.length > maxScopes) return false;
    characters += scope.length + 1;
    return true;
  });
  return fitting.length === 0 ? undefined : fitting.join(" ");
}

/** Returns how long a token is valid, and until when. A lifetime of zero says nothing. */
export function lifetimeOf(
  { expires_in: seconds = 0 }: OAuthTokens,
  now: number,
): Pick<SignedIn, "endsAt" | "lifeMs"> {
  if (seconds <= 0) return { endsAt: undefined, lifeMs: undefined };
  return { endsAt: now + seconds * 1_000, lifeMs: seconds * 1_000 };
}

/** Returns whether a token can be sent in a header as a bearer token (RFC 6750 section 2.1). */
export function isBearer({ access_token: token, token_type: type }: OAuthTokens): boolean {
  return type.toLowerCase() === "bearer" && /^[!-~]+$/.test(token);
}
