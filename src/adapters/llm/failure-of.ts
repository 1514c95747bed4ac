import { retryAfterSeconds } from "../../core/shared/retry-after.ts";
import type { Secret } from "../../core/shared/secret.ts";
import { EndlessResponse, SilentService } from "./bounded-fetch.ts";
import { ModelFailure } from "./errors.ts";
import { wordTable } from "../../core/shared/text/word-table.ts";
import { fieldAt } from "../../core/shared/data.ts";

/** Characters of an error response that are logged. */
const maxLoggedCharacters = 300;

/** Classifies an error of the SDK. The log gets the service's words without the key. */
export function failureOf(
  error: unknown,
  apiKey: Secret | undefined,
  { isLate }: { isLate: boolean },
): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const chain = causes(error);
  if (chain.some((cause) => cause instanceof EndlessResponse)) return new ModelFailure("endless");
  if (isLate || chain.some((cause) => cause instanceof SilentService))
    return new ModelFailure("late");
  const status = fieldAt(error, "statusCode");
  const said = fieldAt(error, "responseBody");
  const message = typeof said === "string" && said !== "" ? said : fieldAt(error, "message");
  const words = String(message).replaceAll(apiKey?.reveal() ?? "\0", "[secret]");
  const cause = new Error(words.slice(0, maxLoggedCharacters));
  // A truncated response with a success status has a status too.
  if (typeof status !== "number" || status < 300)
    return new ModelFailure(withoutStatus(error, chain), { cause });
  const wait = fieldAt(fieldAt(error, "responseHeaders"), "retry-after");
  return new ModelFailure(status, {
    retryAfterSeconds: retryAfterSeconds(typeof wait === "string" ? wait : null),
    cause,
  });
}

/** Classifies a failure after the first byte of a response, or before any. */
function withoutStatus(error: unknown, chain: readonly Error[]): ModelFailure["what"] {
  // In a stream the service's own error arrives as a value. Its type is that of Anthropic's API.
  if (!(error instanceof Error)) return inStream[String(fieldAt(error, "type"))] ?? "failed";
  if (chain.some(({ name }) => junk.test(name))) return "junk";
  return chain.some(wasClosed) ? "closed" : "unreachable";
}

/** `RangeError`: the SDK's parser exhausts the stack in a value that is nested too deeply. */
const junk = /JSONParse|TypeValidation|NoOutputGenerated|InvalidResponseData|RangeError/;

const inStream = wordTable<number>({
  authentication_error: 401,
  permission_error: 403,
  rate_limit_error: 429,
});

/** Returns whether the service closed a connection that it had accepted. */
function wasClosed(error: Error): boolean {
  const code = fieldAt(error, "code");
  return code === "UND_ERR_SOCKET" || code === "ECONNRESET" || error.message === "terminated";
}

/**
 * Checks a key before Node does, whose error would quote an invalid header value.
 * @throws ModelFailure
 */
export function assertHeaderValue(apiKey: Secret | undefined): void {
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey.reveal())) throw new ModelFailure(401);
}

function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let next = error; next instanceof Error && chain.length < 10; next = next.cause)
    chain.push(next);
  return chain;
}
