import { type ErrorKind, ToolError } from "../../core/tool/tool-error.ts";

/** A failed request to a model. It never contains the request, because that is private mail. */
export class ModelFailure extends Error {
  /** The HTTP status, or the kind of failure. */
  readonly what:
    | number
    | "late"
    | "stopped"
    | "junk"
    | "endless"
    | "unreachable"
    | "closed"
    | "failed";
  readonly retryAfterSeconds: number | undefined;

  constructor(
    what: ModelFailure["what"],
    details: { retryAfterSeconds?: number | undefined; cause?: unknown } = {},
  ) {
    super(`the model failed: ${what}`, { cause: details.cause });
    this.name = "ModelFailure";
    this.what = what;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

type Explanation = readonly [ErrorKind, string, string?];

const key: Explanation = [
  "auth",
  "The model's service refused the key.",
  "Check GROUP_API_KEY and whether it may use GROUP_MODEL.",
];
const elsewhere: Explanation = [
  "not_configured",
  "The model does not exist at the service's address.",
  "Check GROUP_MODEL and GROUP_BASE_URL.",
];
const refused: Explanation = ["invalid_input", "The model's service did not accept the request."];
const spent: Explanation = ["rate_limited", "The model's service limits the rate of requests."];

const explanations: Readonly<Record<string, Explanation>> = {
  400: refused,
  401: key,
  402: ["rate_limited", "The account at the model's service has no credit left."],
  403: key,
  404: elsewhere,
  413: refused,
  422: refused,
  429: spent,
  late: ["timeout", "The model did not answer in time."],
  stopped: ["cancelled", "The request to the model was cancelled."],
  junk: ["internal", "The model's service returned an invalid response."],
  endless: ["internal", "The response of the model's service did not end."],
  unreachable: ["unavailable", "The model's service could not be reached."],
  closed: ["unavailable", "The model's service closed the connection before the response ended."],
};

/**
 * Waits by HTTP status, for a service that states none. A rate limit ends within a minute, an unpaid account later.
 * Seconds.
 */
const usualWaits: Readonly<Record<string, number>> = { 402: 3_600, 429: 60 };

/** The purpose of a request, as its error names it. */
export interface ModelPurpose {
  /** The beginning of the settings' names. */
  settings: "SUMMARY" | "ASSISTANT";
  /** The end of an error: what was not done. */
  nothing: string;
}

/** Converts the errors of models to ours, the only place to do so. */
export function modelError(failure: ModelFailure, { settings, nothing }: ModelPurpose): ToolError {
  const { what } = failure;
  const [kind, sentence, hint] = explanations[what] ?? otherwise(what);
  const retryAfterSeconds = failure.retryAfterSeconds ?? usualWaits[what];
  return new ToolError(kind, `${sentence} ${nothing}`, {
    cause: failure,
    ...(hint !== undefined && { hint: hint.replaceAll("GROUP", settings) }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

function otherwise(what: ModelFailure["what"]): Explanation {
  if (typeof what === "number" && what >= 300 && what < 400) return elsewhere;
  return ["unavailable", "The model's service failed."];
}
