import { ToolError } from "../../core/tool/tool-error.ts";

/** Bounds of the wait before another start, in milliseconds. The wait doubles with each failure. */
const shortestWaitMs = 1_000;
const longestWaitMs = 60_000;
/** After this many crashes in a row a server still starts again immediately, so that a rare crash costs nothing. */
const crashesWithoutWait = 2;

/** Why the calls to a server are refused for some time. */
export interface ServerTrouble {
  /** A past tense, as the end of a sentence about the server: `failed to start`. */
  what: string;
  waitMs: number;
}

/** The wait of one server before its next start, after it failed to start or ended during calls. */
export class StartWait {
  #failures = 0;
  #crashes = 0;
  #notBefore = 0;
  #trouble: ServerTrouble | undefined;
  readonly #now: () => number;
  readonly #report: (trouble: ServerTrouble | undefined) => void;

  /**
   * @param now a monotonic clock in milliseconds
   * @param report receives each wait, and undefined after the server works again
   */
  constructor(now: () => number, report: (trouble: ServerTrouble | undefined) => void) {
    this.#now = now;
    this.#report = report;
  }

  /** @throws ToolError `unavailable` during the wait */
  assertOver(server: string): void {
    const leftMs = this.#notBefore - this.#now();
    if (leftMs <= 0 || this.#trouble === undefined) return;
    throw new ToolError(
      "unavailable",
      `The server ${server} ${this.#trouble.what}. Nothing was done.`,
      { retryAfterSeconds: Math.ceil(leftMs / 1000) },
    );
  }

  /** @param askedMs the wait that the server asked for */
  startFailed(askedMs: number): void {
    this.#failures += 1;
    this.#wait("failed to start", Math.max(askedMs, doubled(this.#failures)));
  }

  started(): void {
    this.#failures = 0;
    if (this.#crashes === 0) this.#endWait();
  }

  /** Notes that the server ended during at least one call. */
  crashed(): void {
    this.#crashes += 1;
    if (this.#crashes <= crashesWithoutWait) return;
    const what = `ended ${this.#crashes} times in a row during a call`;
    this.#wait(what, doubled(this.#crashes - crashesWithoutWait));
  }

  /** Notes that the server answered a call. */
  answered(): void {
    this.#crashes = 0;
    this.#endWait();
  }

  /** Forgets all failures, because a person asked for another start. */
  reset(): void {
    this.#failures = 0;
    this.#crashes = 0;
    this.#endWait();
  }

  #wait(what: string, ms: number): void {
    const waitMs = Math.min(longestWaitMs, ms);
    this.#notBefore = this.#now() + waitMs;
    this.#trouble = { what, waitMs };
    this.#report(this.#trouble);
  }

  #endWait(): void {
    this.#notBefore = 0;
    if (this.#trouble === undefined) return;
    this.#trouble = undefined;
    this.#report(undefined);
  }
}

function doubled(times: number): number {
  return shortestWaitMs * 2 ** (times - 1);
}
