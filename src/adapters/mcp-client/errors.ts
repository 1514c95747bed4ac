import { retryAfterSeconds } from "../../core/shared/retry-after.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { ServerNotStarted } from "../../ports/upstream/server-not-started.ts";

/** `acts` is true for a call that may have changed something before it failed. */
interface Sent {
  acts: boolean;
}

/** A request that failed while its connection continues. The reason ends a sentence: `cannot be reached`. */
export class RequestFault extends Error {
  override readonly name = "RequestFault";
  readonly reason: string;
  /** True if the server may have acted on the request. */
  readonly wasSent: boolean;
  readonly needsSignIn: boolean;
  /** True if the server limits the number of requests. */
  readonly isLimited: boolean;
  /** True if the same request may succeed soon, without an action of a person. */
  readonly mayPass: boolean;
  /** The wait that the server asks for. */
  readonly retryAfterSeconds: number | undefined;
  /** The action of a person that helps. Undefined if the entry in `servers.json` or the server may be wrong. */
  readonly fix: string | undefined;

  constructor(
    reason: string,
    {
      wasSent = false,
      needsSignIn = false,
      isLimited = false,
      mayPass = false,
      retryAfterSeconds,
      fix,
      cause,
    }: {
      wasSent?: boolean;
      needsSignIn?: boolean;
      isLimited?: boolean;
      mayPass?: boolean;
      retryAfterSeconds?: number | undefined;
      fix?: string | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(reason, { cause });
    this.reason = reason;
    this.wasSent = wasSent;
    this.needsSignIn = needsSignIn;
    this.isLimited = isLimited;
    this.mayPass = mayPass;
    this.retryAfterSeconds = retryAfterSeconds;
    this.fix = fix;
  }
}

/** Statuses with which a proxy gives up on a request that its server may still handle. */
const gaveUp: ReadonlySet<number> = new Set([408, 499]);

/** Returns the fault of a request that a server answered with a failure of HTTP. */
export function statusFault({
  status,
  headers,
}: Pick<Response, "status" | "headers">): RequestFault {
  const wait = { retryAfterSeconds: retryAfterSeconds(headers.get("retry-after")) };
  // RFC 6585 section 4: the request was not handled.
  if (status === 429)
    return new RequestFault("limits requests (HTTP status 429)", { isLimited: true, ...wait });
  return new RequestFault(`answered with the HTTP status ${status}`, {
    wasSent: status >= 500 || gaveUp.has(status),
    ...wait,
  });
}

/** The reason of a request whose connection ended. */
export const closed = "closed the connection before it answered";

const nothing = "Nothing was done.";
/** JSON-RPC 2.0 section 5.1: the request, its method or its arguments were refused. */
const beforeTheCall: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_602]);
const unknown = "The effect may have happened: check the target before calling again.";

/** An upstream server, and this program as a person can type it. */
export interface UpstreamPlace {
  server: string;
  command: string;
}

/** Returns the error of a connection that failed before a call was sent. */
export function notStarted(
  { server, command }: UpstreamPlace,
  reason: string,
  {
    cause,
    words,
    fix,
  }: { cause?: unknown; words?: string | undefined; fix?: string | undefined } = {},
): ToolError {
  return new ServerNotStarted(`The server ${server} ${reason}. ${nothing}`, {
    words,
    fix,
    cause,
    command,
  });
}

/** Returns the error of a server that answered the first request with an error of the protocol. */
export function refusedStart(
  { server, command }: UpstreamPlace,
  cause: Error & { code: number },
): ToolError {
  const message = `The server ${server} refused to start (protocol error ${cause.code}). ${nothing}`;
  return new ServerNotStarted(message, { answer: cause.message, cause, command });
}

/**
 * Returns the error of a server that speaks only versions that the SDK does not know. A version is a date. Other text
 * of the server is shown only to a person.
 */
export function unknownVersion(
  { server, command }: UpstreamPlace,
  versions: readonly string[],
  cause: unknown,
): ToolError {
  const dates = versions.filter((version) => /^\d{4}-\d{2}-\d{2}$/.test(version)).slice(0, 5);
  const what =
    dates.length === 0
      ? "a protocol version that"
      : `the protocol version ${dates.join(" or ")}, which`;
  return new ServerNotStarted(
    `The server ${server} speaks only ${what} Countersign does not support. ${nothing}`,
    {
      answer: dates.length === 0 ? versions[0] : undefined,
      fix: "Update the server, or Countersign.",
      cause,
      command,
    },
  );
}

/** Returns the error of a server that answered the request for its tools with an error of the protocol. */
export function refusedList(
  { server, command }: UpstreamPlace,
  cause: Error & { code: number },
): ToolError {
  const message = `The server ${server} did not list its tools (protocol error ${cause.code}). ${nothing}`;
  return new ServerNotStarted(message, { answer: cause.message, cause, command });
}

/** Returns the error of a server that has only resources or prompts. */
export function noTools({ server, command }: UpstreamPlace, cause: unknown): ToolError {
  return new ToolError("not_configured", `The server ${server} offers no tools. ${nothing}`, {
    hint: `Tell the user to remove it: \`${command} servers remove ${server}\`. Only tools of a server are used.`,
    cause,
  });
}

/** Returns the error of one failed request. */
export function failedRequest(at: UpstreamPlace, fault: RequestFault, sent: Sent): ToolError {
  const { server, command } = at;
  const { reason, wasSent, needsSignIn, isLimited, mayPass, retryAfterSeconds: wait } = fault;
  const retry = wait === undefined ? {} : { retryAfterSeconds: wait };
  if (wasSent && sent.acts) {
    const asked = wait === undefined ? "" : ` The server asks callers to wait ${wait} s.`;
    return new ToolError("unavailable", `The server ${server} ${reason}. ${unknown}${asked}`, {
      sideEffects: "unknown",
      cause: fault,
    });
  }
  if (wasSent || isLimited || mayPass) {
    const kind = isLimited ? "rate_limited" : "unavailable";
    return new ToolError(kind, `The server ${server} ${reason}. ${nothing}`, {
      ...retry,
      cause: fault,
    });
  }
  if (!needsSignIn) return notStarted(at, reason, { cause: fault, fix: fault.fix });
  return new ToolError("auth", `The server ${server} ${reason}. ${nothing}`, {
    hint: `Tell the user to run \`${command} servers login ${server}\`, or to correct the headers in servers.json.`,
    cause: fault,
  });
}

/** Returns the error of a server that asks the user or the model before it answers. */
export function requestsInput(server: string, { acts }: Sent): ToolError {
  return new ToolError(
    "unavailable",
    `The server ${server} asked for more input, and Countersign does not forward such requests to the user. ${acts ? unknown : nothing}`,
    { sideEffects: acts ? "unknown" : "none" },
  );
}

/** Returns the error of a server whose connection ended during a call. */
export function connectionLost(
  server: string,
  reason: string,
  { acts }: Sent,
  cause?: unknown,
): ToolError {
  return new ToolError(
    "unavailable",
    `The server ${server} ${reason} before it answered. ${acts ? unknown : nothing}`,
    { sideEffects: acts ? "unknown" : "none", cause },
  );
}

export function tooLate(server: string, timeoutMs: number, { acts }: Sent): ToolError {
  const seconds = Math.round(timeoutMs / 1000);
  return new ToolError(
    "timeout",
    `The server ${server} did not answer within ${seconds} s. ${acts ? unknown : nothing}`,
    { sideEffects: acts ? "unknown" : "none" },
  );
}

/** Returns the error of a call that the server answered with a protocol error. The server's own text is only logged. */
export function refusedByServer(
  server: string,
  { code, acts, cause }: Sent & { code: number; cause: unknown },
): ToolError {
  const isOpen = acts && !beforeTheCall.has(code);
  return new ToolError(
    "unavailable",
    `The server ${server} answered with the protocol error ${code}. ${isOpen ? unknown : nothing}`,
    { sideEffects: isOpen ? "unknown" : "none", cause },
  );
}

export function unreadable(server: string, { acts }: Sent, cause?: unknown): ToolError {
  return new ToolError(
    "unavailable",
    `The server ${server} answered in a form that is not MCP. ${acts ? unknown : nothing}`,
    { sideEffects: acts ? "unknown" : "none", cause },
  );
}
