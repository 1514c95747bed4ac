/**
 * The kinds of failure. `retryable` is true if the same call may succeed later without a change by the caller. It
 * depends on the kind alone.
 */
const kinds = {
  invalid_input: { retryable: false },
  not_found: { retryable: false },
  conflict: { retryable: false },
  too_large: { retryable: false },
  forbidden: { retryable: false },
  denied: { retryable: false },
  approval_required: { retryable: true },
  not_configured: { retryable: false },
  budget_exceeded: { retryable: true },
  rate_limited: { retryable: true },
  timeout: { retryable: true },
  unavailable: { retryable: true },
  auth: { retryable: false },
  cancelled: { retryable: true },
  internal: { retryable: false },
} as const satisfies Record<string, { retryable: boolean }>;

export type ErrorKind = keyof typeof kinds;

export function isErrorKind(value: unknown): value is ErrorKind {
  return typeof value === "string" && Object.hasOwn(kinds, value);
}

/**
 * `none`: the target is unchanged. `unknown`: the effect may have happened, so the call must not be repeated silently.
 */
export type SideEffects = "none" | "unknown";

/** The facts about an approval request that a client may see. They carry no authority. */
export interface ApprovalNotice {
  id: string;
  tool: string;
  status: string;
  fingerprint: string;
  expiresAt: string;
  answered?: string;
  url?: string;
}

/** The same facts with the next step, for a tool that answers without approval. */
export interface ApprovalGuidance extends ApprovalNotice {
  guidance: string;
}

export interface ToolErrorDetails {
  /** The next step, as a sentence. */
  hint?: string;
  retryAfterSeconds?: number;
  sideEffects?: SideEffects;
  approval?: ApprovalNotice;
  /** The original error of a vendor, for the log only. It never reaches a client. */
  cause?: unknown;
}

/**
 * The only error that tools, stores and adapters throw on purpose. Message and hint are our own sentences: the failure,
 * what was not done, and the next step. Any other error becomes `internal`.
 */
export class ToolError extends Error {
  readonly kind: ErrorKind;
  readonly hint: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly sideEffects: SideEffects;
  readonly approval: ApprovalNotice | undefined;

  constructor(kind: ErrorKind, message: string, details: ToolErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "ToolError";
    this.kind = kind;
    this.hint = details.hint;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.sideEffects = details.sideEffects ?? "none";
    this.approval = details.approval;
  }

  /** False if the effect may have happened. */
  get retryable(): boolean {
    return kinds[this.kind].retryable && this.sideEffects === "none";
  }
}

/**
 * The machine-readable form: the stored error of a request, and without its sentences `_meta["dev.countersign/error"]`.
 */
export interface ErrorFields {
  kind: ErrorKind;
  message: string;
  retryable: boolean;
  sideEffects: SideEffects;
  hint?: string;
  retryAfterSeconds?: number;
  approval?: ApprovalNotice;
}

export function errorFields(error: ToolError): ErrorFields {
  return {
    kind: error.kind,
    message: error.message,
    retryable: error.retryable,
    sideEffects: error.sideEffects,
    ...(error.hint !== undefined && { hint: error.hint }),
    ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
    ...(error.approval !== undefined && { approval: error.approval }),
  };
}

/** Restores an error that was stored as fields, for a later call. */
export function errorFromFields(fields: ErrorFields): ToolError {
  return new ToolError(fields.kind, fields.message, {
    sideEffects: fields.sideEffects,
    ...(fields.hint !== undefined && { hint: fields.hint }),
    ...(fields.retryAfterSeconds !== undefined && { retryAfterSeconds: fields.retryAfterSeconds }),
    ...(fields.approval !== undefined && { approval: fields.approval }),
  });
}

/**
 * Converts a thrown value into the error for the caller.
 * @param acted true if an effect may already have been started
 */
export function asToolError(thrown: unknown, acted: boolean): ToolError {
  if (thrown instanceof ToolError) return thrown;
  const tail = acted
    ? "The effect may have happened: check the target before calling again."
    : "Nothing was done.";
  return new ToolError("internal", `The server failed. ${tail}`, {
    sideEffects: acted ? "unknown" : "none",
    cause: thrown,
  });
}
