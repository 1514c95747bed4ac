import { type ErrorKind, ToolError } from "../../core/tool/tool-error.ts";

/** A failed request to the search service. */
export class SearchFailure extends Error {
  /** The HTTP status, or the kind of failure. */
  readonly what: number | "late" | "stopped" | "junk" | "endless" | "unreachable";
  readonly retryAfterSeconds: number | undefined;

  constructor(
    what: SearchFailure["what"],
    details: { retryAfterSeconds?: number | undefined; cause?: unknown } = {},
  ) {
    super(`search failed: ${what}`, { cause: details.cause });
    this.name = "SearchFailure";
    this.what = what;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/**
 * Returns whether the same request may succeed a moment later. After a timeout there is no time for another attempt.
 */
export function isTransient({ what }: SearchFailure): boolean {
  return what === "unreachable" || what === 500 || what === 502 || what === 503 || what === 504;
}

type Explanation = readonly [ErrorKind, string, string?];

const key: Explanation = [
  "auth",
  "The search service refused the key.",
  "Check TAVILY_API_KEY. Tavily shows the key when you sign in.",
];
const elsewhere: Explanation = [
  "not_configured",
  "The search service was not found at its address.",
  "Check TAVILY_BASE_URL, or leave it empty.",
];
const spent: Explanation = [
  "rate_limited",
  "The quota of the search key is used up.",
  "The quota renews over time. The owner of the key can raise it at Tavily.",
];

const explanations: Readonly<Record<string, Explanation>> = {
  400: ["invalid_input", "The search service did not accept the query.", "Rephrase the query."],
  401: key,
  403: key,
  404: elsewhere,
  422: ["invalid_input", "The search service did not accept the query.", "Rephrase the query."],
  429: ["rate_limited", "The search service limits the rate of requests."],
  // Tavily's own codes: the plan's limit, and the limit of paying as you go.
  432: spent,
  433: spent,
  late: ["timeout", "The search service did not answer in time."],
  stopped: ["cancelled", "The search was cancelled."],
  junk: ["unavailable", "The search service returned an invalid response."],
  endless: ["unavailable", "The search service's response did not end."],
  unreachable: ["unavailable", "The search service could not be reached."],
};

/** Waits for errors that name none. Tavily's rate limit lasts a minute, a quota longer. Seconds. */
const usualWaits: Readonly<Record<string, number>> = { 429: 60, 432: 3_600, 433: 3_600 };

/** Converts the search service's errors to ours, the only place to do so. */
export function searchError(failure: SearchFailure): ToolError {
  const { what } = failure;
  const [kind, sentence, hint] = explanations[what] ?? otherwise(what);
  return new ToolError(kind, `${sentence} There are no results.`, {
    cause: failure,
    ...(hint !== undefined && { hint }),
    ...(kind === "rate_limited" && {
      retryAfterSeconds: failure.retryAfterSeconds ?? usualWaits[what] ?? 60,
    }),
  });
}

function otherwise(what: SearchFailure["what"]): Explanation {
  if (typeof what === "number" && what >= 300 && what < 400) return elsewhere;
  return ["unavailable", "The search service failed.", "Try again later."];
}
