import { retryAfterSeconds } from "../../core/shared/retry-after.ts";
import { ToolError, type ToolErrorDetails } from "../../core/tool/tool-error.ts";
import type { CaldavAuth } from "./settings.ts";

/** A request and whether the server may have acted on it. */
export interface DavAttempt {
  /** True for PUT and DELETE. */
  acts: boolean;
}

/** Errors from before any byte of the request was sent. */
const notSent =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_.*|ERR_TLS_.*|ERR_SSL_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*)$/;

/** Returns the end of a message and the error's field that say whether something was done. */
function effectOf(mayHaveHappened: boolean): {
  tail: string;
  effect: Pick<ToolErrorDetails, "sideEffects">;
} {
  return mayHaveHappened
    ? { tail: "The change may have happened.", effect: { sideEffects: "unknown" } }
    : { tail: "Nothing was done.", effect: {} };
}

/** Returns the error for a request without a complete response. */
export function networkError(cause: unknown, { acts }: DavAttempt, isLate: boolean): ToolError {
  const code = codeOf(cause);
  const { tail, effect } = effectOf(acts && !(code !== undefined && notSent.test(code)));
  const details: ToolErrorDetails = { cause, ...effect };
  if (isLate) {
    return new ToolError("timeout", `The calendar server did not answer in time. ${tail}`, details);
  }
  if (/CERT|TLS|SSL|UNABLE/.test(code ?? "")) {
    const message = `The calendar server's certificate cannot be trusted. ${tail}`;
    const hint =
      "Correct CALDAV_URL, or give Node the server's certificate authority with NODE_EXTRA_CA_CERTS.";
    return new ToolError("unavailable", message, { ...details, hint });
  }
  const hint = "Check CALDAV_URL, and whether the server runs.";
  const message = `The calendar server could not be reached. ${tail}`;
  return new ToolError("unavailable", message, { ...details, hint });
}

/** The errors for the statuses that mean the same in every response. After each of them, nothing was done. */
const statusErrors: Readonly<
  Record<number, Pick<ToolError, "kind" | "message"> & { hint?: string }>
> = {
  403: {
    kind: "forbidden",
    message: "The calendar server refused the request. Nothing was done.",
    hint: "The account may lack the right to change this calendar.",
  },
  404: {
    kind: "not_found",
    message: "The event does not exist in the calendar. Nothing was done.",
  },
  413: {
    kind: "too_large",
    message: "The calendar server accepts no event of this size. Nothing was done.",
  },
  429: {
    kind: "rate_limited",
    message: "The calendar server limits the rate of requests. Nothing was done.",
  },
};
/** Statuses with the meaning of another one. */
const sameStatus: Readonly<Record<number, number>> = { 410: 404, 503: 429 };

/** Returns the error for an error status. */
export function statusError(
  status: number,
  headers: Headers,
  { acts }: DavAttempt,
  auth: CaldavAuth["kind"],
): ToolError {
  const cause = new Error(`the calendar server answered ${status}`);
  if (status === 401) return refusedCredentials(auth, cause);
  if (status === 409 || status === 412) return changedMeanwhile(cause);
  const seconds = retryAfterSeconds(headers.get("retry-after"));
  const wait = seconds === undefined ? {} : { retryAfterSeconds: seconds };
  const known = statusErrors[sameStatus[status] ?? status];
  if (known !== undefined) {
    const { kind, message, hint } = known;
    return new ToolError(kind, message, {
      cause,
      ...(hint !== undefined && { hint }),
      ...(kind === "rate_limited" && wait),
    });
  }
  if (acts && status === 507) {
    const message = "The calendar server has no space left. Nothing was done.";
    const hint = "The user must delete something there, or raise the account's quota.";
    return new ToolError("too_large", message, { cause, hint });
  }
  const { tail, effect } = effectOf(acts && status >= 500);
  return new ToolError("unavailable", `The calendar server failed. ${tail}`, {
    cause,
    ...wait,
    ...effect,
  });
}

/** Returns the error for a change whose response proves nothing, and that could not be read back. */
export function notConfirmed(cause: unknown): ToolError {
  return new ToolError(
    "unavailable",
    "The request was sent, but the calendar server did not confirm it. The change may have happened.",
    { sideEffects: "unknown", cause },
  );
}

/** Returns the error for a change after which the server still returns the old event. It may be late, so the outcome is unknown. */
export function stillAsBefore(): ToolError {
  return new ToolError(
    "unavailable",
    "The calendar server reported a success, but still returns the event as it was. The change may have happened.",
    { sideEffects: "unknown", hint: "Check the calendar before calling again." },
  );
}

/** Returns the error for a response in which the server left out events (RFC 4791, section 7.8.1). */
export function partOfEvents(): ToolError {
  return new ToolError(
    "too_large",
    "The calendar server returned only a part of the events. Nothing was done.",
    { hint: "Request a shorter range." },
  );
}

/** Returns the error for a collection that existed before and is gone. */
export function noCalendar(cause?: unknown): ToolError {
  return new ToolError("not_found", "The calendar was not found on its server. Nothing was done.", {
    hint: "The command `doctor` lists the calendars. The user can correct CALDAV_CALENDAR.",
    cause,
  });
}

function changedMeanwhile(cause?: unknown): ToolError {
  return new ToolError(
    "conflict",
    "The event on the calendar server has changed. Nothing was done.",
    { hint: "Call again. The user is asked about the event as it is now.", cause },
  );
}

/** Returns the error for a password or an OAuth client that the server refuses. */
export function refusedCredentials(auth: CaldavAuth["kind"], cause?: unknown): ToolError {
  return new ToolError("auth", "The calendar server refused the credentials. Nothing was done.", {
    hint:
      auth === "basic"
        ? "The user must renew CALDAV_PASSWORD (with iCloud an app-specific password) or correct CALDAV_USERNAME."
        : "The user must renew CALDAV_OAUTH_REFRESH_TOKEN or correct the CALDAV_OAUTH_ client.",
    cause,
  });
}

/** The log's reason for a refused host. */
class HostNotAllowed extends Error {
  readonly host: string;

  constructor(host: string) {
    super(`not an allowed host: ${host}`);
    this.host = host;
  }
}

/** Returns the error for a link or redirect to a host that is not allowed. The server chose the name, so no tool shows it. */
export function foreignHost(url: string): ToolError {
  const host = URL.canParse(url) ? new URL(url).host : "an unreadable address";
  return notAllowed("a host that is not allowed", new HostNotAllowed(host));
}

/** Returns the same error for the operator, who can allow the host and must know its name. */
export function withHost(thrown: unknown): unknown {
  const cause = thrown instanceof ToolError ? thrown.cause : undefined;
  if (!(cause instanceof HostNotAllowed)) return thrown;
  return notAllowed(`the host ${cause.host}, which is not allowed`, cause);
}

function notAllowed(what: string, cause: HostNotAllowed): ToolError {
  return new ToolError(
    "unavailable",
    `The calendar server points to ${what}. Nothing was sent there and nothing was done.`,
    { hint: "If the host is right, the user can add it to CALDAV_ALLOWED_HOSTS.", cause },
  );
}

/** Returns the error for a 207 response to PUT. The real status is inside. */
export function multistatusOnPut(text: string): ToolError {
  const inner = Number(/HTTP\/[\d.]+\s+(\d{3})/.exec(text)?.[1]);
  if (inner === 412 || inner === 409) return changedMeanwhile(new Error(`207 with ${inner}`));
  if (inner >= 400) {
    return new ToolError(
      "unavailable",
      "The calendar server rejected the event. Nothing was done.",
      {
        cause: new Error(`207 with ${inner}`),
      },
    );
  }
  return unreadableResponse("207 on PUT", { acts: true });
}

/** Returns the error for a response that cannot be parsed, such as HTML, truncated XML or XML with entities. */
export function unreadableResponse(why: string, { acts }: DavAttempt = { acts: false }): ToolError {
  const { tail, effect } = effectOf(acts);
  return new ToolError("unavailable", `The calendar server's response cannot be read. ${tail}`, {
    cause: new Error(why),
    ...effect,
  });
}

/**
 * Returns the error for a response that is too large.
 * @param bound the exceeded limit, as in "larger than 8 MiB"
 */
export function responseTooLarge(bound: string, { acts }: DavAttempt = { acts: false }): ToolError {
  const { tail, effect } = effectOf(acts);
  return new ToolError("too_large", `The calendar server's response is ${bound}. ${tail}`, {
    hint: "Request a shorter range.",
    ...effect,
  });
}

/**
 * Returns the error for a calendar that was not found, or not unique.
 * @param found names for the operator only, because a tool must not learn the account's other calendars
 */
export function calendarNotFound(count: number, found?: readonly string[]): ToolError {
  const what =
    count === 0
      ? "The calendar that CALDAV_CALENDAR names was not found."
      : `${count} calendars have the name in CALDAV_CALENDAR.`;
  const names =
    found === undefined ? "" : ` The account has: ${found.join(", ") || "no calendars"}.`;
  return new ToolError("not_configured", `${what}${names} Nothing was done.`, {
    hint:
      count === 0
        ? "The user must correct CALDAV_CALENDAR. The command `doctor` lists the names."
        : "The user must set CALDAV_CALENDAR to the calendar's address.",
  });
}

function codeOf(error: unknown): string | undefined {
  for (let one = error, depth = 0; one instanceof Error && depth < 4; one = one.cause, depth += 1) {
    if ("code" in one && typeof one.code === "string") return one.code;
  }
  return undefined;
}
