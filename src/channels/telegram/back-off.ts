import { ToolError } from "../../core/tool/tool-error.ts";

const longest = 60_000;

/** Returns how long to wait after consecutive failures, counted from 1. Milliseconds. */
function backOffMs(error: unknown, failures: number): number {
  if (!(error instanceof ToolError)) return longest;
  if (error.retryAfterSeconds !== undefined) return error.retryAfterSeconds * 1_000;
  // A person must fix this, so frequent retries are useless.
  if (error.kind === "auth" || error.kind === "not_configured") return longest;
  return Math.min(1_000 * 2 ** (failures - 1), longest);
}

/** Reports a repeated failure once, and its end once. */
export class Trouble {
  failures = 0;
  #reported: string | undefined;

  failed(error: unknown, tell: () => void): number {
    const what = error instanceof ToolError ? `${error.kind} ${error.message}` : String(error);
    if (what !== this.#reported) tell();
    this.#reported = what;
    this.failures += 1;
    return backOffMs(error, this.failures);
  }

  over(tell: () => void): void {
    if (this.#reported !== undefined) tell();
    this.#reported = undefined;
    this.failures = 0;
  }
}
