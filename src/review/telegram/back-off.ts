import { ToolError } from "../../core/tool/tool-error.ts";

const longest = 60_000;

/** How long to leave a service alone after so many failures in a row, counted from 1. Milliseconds. */
function backOffMs(error: unknown, failures: number): number {
  if (!(error instanceof ToolError)) return longest;
  if (error.retryAfterSeconds !== undefined) return error.retryAfterSeconds * 1_000;
  // A person has to mend it: trying often would not help.
  if (error.kind === "auth" || error.kind === "not_configured") return longest;
  return Math.min(1_000 * 2 ** (failures - 1), longest);
}

/** What goes on failing in the same way is told once, and once more when it works again. */
export class Trouble {
  failures = 0;
  #told: string | undefined;

  failed(error: unknown, tell: () => void): number {
    const what = error instanceof ToolError ? `${error.kind} ${error.message}` : String(error);
    if (what !== this.#told) tell();
    this.#told = what;
    this.failures += 1;
    return backOffMs(error, this.failures);
  }

  over(tell: () => void): void {
    if (this.#told !== undefined) tell();
    this.#told = undefined;
    this.failures = 0;
  }
}
