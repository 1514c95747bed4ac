import { retryAfterSeconds } from "../../core/shared/retry-after.ts";
import { type ErrorKind, ToolError } from "../../core/tool/tool-error.ts";
import { wordTable } from "../../core/shared/text/word-table.ts";
import { fieldAt } from "../../core/shared/data.ts";

/** The relevant facts of one failed request to the store. */
export class StoreFailure extends Error {
  /** S3's code (`NoSuchKey`), Node's (`ECONNRESET`), or one of the words below. */
  readonly code: string;
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** True if the store may have done the request although no response arrived. */
  readonly isOpen: boolean;

  constructor(
    code: string,
    details: { status?: number; retryAfterSeconds?: number; isOpen?: boolean; cause?: unknown },
  ) {
    super(`${code}${details.status === undefined ? "" : ` (${details.status})`}`, {
      cause: details.cause,
    });
    this.name = "StoreFailure";
    this.code = code;
    this.status = details.status;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.isOpen = details.isOpen ?? false;
  }

  /** Returns the same failure with more facts. */
  with(isOpen: boolean): StoreFailure {
    const { code, status, retryAfterSeconds, cause } = this;
    return new StoreFailure(code, {
      ...(status !== undefined && { status }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      isOpen,
      cause,
    });
  }
}

/** Timeout without a response. */
export const late = "late";
/** The caller cancelled. */
export const stopped = "stopped";
/** The bytes differ from the written ones. */
export const damaged = "damaged";
/** A response that is not from S3, such as a login page. */
export const foreign = "foreign";

/** Errors from before the request reached the store. The SDK's own TimeoutError concerns the connection. */
const unsent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);
unsent.add("TimeoutError");

/** S3 sends these errors before it starts to process a request, so nothing was done. */
const refusedUnread = new Set(["SlowDown", "ServiceUnavailable", "TooManyRequests"]);

/** No space is left, so the object was not stored. */
const noSpace = 507;

const maxLoggedCharacters = 500;

/** Converts any error of the SDK, Node's sockets or a broken body to a `StoreFailure`. */
export function failureOf(error: unknown): StoreFailure {
  if (error instanceof StoreFailure) return error;
  const status = fieldAt(fieldAt(error, "$metadata"), "httpStatusCode");
  const response = fieldAt(error, "$response");
  const header = fieldAt(fieldAt(response, "headers"), "retry-after");
  const wait = retryAfterSeconds(typeof header === "string" ? header : null);
  const answered = typeof status === "number" && status >= 300;
  const given = fieldAt(error, "Code") ?? fieldAt(error, "code") ?? fieldAt(error, "name");
  const name = answered || response === undefined ? String(given) : foreign;
  return new StoreFailure(name, {
    ...(answered && { status }),
    ...(wait !== undefined && { retryAfterSeconds: wait }),
    isOpen: answered
      ? status >= 500 && status !== noSpace && !refusedUnread.has(name)
      : !unsent.has(name),
    cause: withoutSecrets(error),
  });
}

/** Copies the error's text. The SDK's error contains the whole exchange with its signature. */
function withoutSecrets(error: unknown): Error {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new Error(text.slice(0, maxLoggedCharacters));
}

/** Returns whether the same request may succeed a moment later. */
export function isTransient({ code, status }: StoreFailure): boolean {
  if (code === stopped) return false;
  // The SDK adjusts its clock after this refusal, so the next attempt may succeed.
  if (code === "RequestTimeTooSkewed" || code === "RequestTimeout") return true;
  if (code === late || code === damaged) return true;
  if (status === undefined) return explanations[code] === undefined;
  return status === 429 || (status >= 500 && status !== 501 && status !== noSpace);
}

export const isMissing = ({ status, code }: StoreFailure): boolean =>
  status === 404 && code !== "NoSuchBucket";

/** Returns whether a condition failed: 412, or 409 if two conditional writes collided at Amazon. */
export const isBroken = ({ status, code }: StoreFailure): boolean =>
  status === 412 || (status === 409 && code === "ConditionalRequestConflict");

type Explanation = (bucket: string) => [ErrorKind, string, string?];

const refused: Explanation = (bucket) => [
  "auth",
  `The object store refused the access key for the bucket ${bucket}.`,
  "Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, and whether the key may list, read, write and delete there.",
];
const elsewhere: Explanation = (bucket) => [
  "not_configured",
  `The bucket ${bucket} is in another region.`,
  "Correct S3_REGION, or S3_ENDPOINT if it is set.",
];
const busy: Explanation = () => ["rate_limited", "The object store limits the rate of requests."];
const full: Explanation = () => [
  "unavailable",
  "The object store has no space left, or a quota is reached.",
  "Free some space in the object store, or raise the quota.",
];
const untrusted: Explanation = () => [
  "not_configured",
  "The certificate of the object store is not trusted.",
  "Correct S3_ENDPOINT, or give Node the store's certificate authority with NODE_EXTRA_CA_CERTS.",
];
const mistake: Explanation = () => ["internal", "The object store's client failed."];

const explanations = wordTable<Explanation>({
  [late]: () => ["timeout", "The object store did not answer in time."],
  [stopped]: () => ["cancelled", "The request to the object store was cancelled."],
  [damaged]: () => [
    "unavailable",
    "The object store returned different bytes than were written.",
    "Try again. If the error remains, restore the object from a backup.",
  ],
  RequestTimeTooSkewed: () => [
    "auth",
    "The object store refused the request because the clocks differ.",
    "Set this machine's clock.",
  ],
  NoSuchBucket: (bucket) => [
    "not_configured",
    `The object store has no bucket ${bucket}.`,
    "Create it, or correct S3_BUCKET.",
  ],
  PermanentRedirect: elsewhere,
  AuthorizationHeaderMalformed: elsewhere,
  IllegalLocationConstraintException: elsewhere,
  // Ceph, MinIO and RustFS. The status is that of a refused or invalid request.
  QuotaExceeded: full,
  XMinioAdminBucketQuotaExceeded: full,
  XRustfsQuotaExceeded: full,
  EntityTooLarge: () => ["too_large", "This is larger than the object store accepts."],
  SlowDown: busy,
  CERT_HAS_EXPIRED: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  [foreign]: () => [
    "unavailable",
    "The server at this address is not an S3 object store.",
    "Check S3_ENDPOINT.",
  ],
  // Node's names for a bug in a program, ours or the SDK's.
  TypeError: mistake,
  RangeError: mistake,
});

const byStatus: Readonly<Record<number, Explanation>> = {
  301: elsewhere,
  401: refused,
  403: refused,
  404: () => ["not_found", "The object store has no such object."],
  409: () => ["conflict", "Another program changed the object at the same moment."],
  412: () => ["conflict", "The object has changed."],
  413: () => ["too_large", "This is larger than the object store accepts."],
  429: busy,
  501: () => [
    "not_configured",
    "The object store does not support conditional writes, which protect objects from being overwritten.",
    "Use a store that does, or leave S3_BUCKET empty for the embedded one.",
  ],
  [noSpace]: full,
};

/** The wait if a store asks for a lower rate without naming a time. */
const usualPauseSeconds = 5;

/**
 * Converts the store's errors to ours, the only place to do so.
 * @param acts true if the request changes data
 */
export function storeError(failure: StoreFailure, bucket: string, acts: boolean): ToolError {
  const explain = explanations[failure.code] ?? byStatus[failure.status ?? 0];
  const [kind, what, hint] = (explain ?? otherwise(failure))(bucket);
  const isOpen = acts && failure.isOpen;
  return new ToolError(kind, `${what} ${tail(acts, isOpen)}`, {
    cause: failure,
    ...(hint !== undefined && { hint }),
    ...(kind === "rate_limited" && {
      retryAfterSeconds: failure.retryAfterSeconds ?? usualPauseSeconds,
    }),
    ...(isOpen && { sideEffects: "unknown" as const }),
  });
}

function tail(acts: boolean, isOpen: boolean): string {
  if (!acts) return "Nothing was read or changed.";
  return isOpen ? "The change was made either completely or not at all." : "Nothing was changed.";
}

function otherwise({ code, status }: StoreFailure): Explanation {
  if (unsent.has(code)) {
    return () => [
      "unavailable",
      "The object store could not be reached.",
      "Check S3_ENDPOINT, and whether the object store runs.",
    ];
  }
  if (status === undefined) {
    return () => ["unavailable", "The connection to the object store broke.", "Try again later."];
  }
  if (status < 500) {
    return () => ["internal", "The object store refused a request of this program."];
  }
  return () => [
    "unavailable",
    "The object store failed to process the request.",
    "Try again later.",
  ];
}
