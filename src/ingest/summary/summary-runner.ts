import type { Log } from "../../core/shared/log.ts";
import { asToolError, type ToolError } from "../../core/tool/tool-error.ts";
import type { ObjectStore } from "../../ports/files/objects.ts";
import type { DueSummary, SummaryQueue } from "../../ports/mail/summary-queue.ts";
import type { TextModel } from "../../ports/mail/text-model.ts";
import { attachmentWords, storedText } from "../text/mail-text.ts";
import { cleanSummary, summaryRequest } from "./model-summary.ts";

export interface SummaryRunnerSettings {
  queue: SummaryQueue;
  objects: ObjectStore;
  model: TextModel;
  /** Limit on calls of all processes together, per UTC day. */
  callsPerDay: number;
  concurrency: number;
  /** The time limit of a call. A claim lasts longer. */
  timeoutMs: number;
  log: Log;
}

export interface SummaryRunner {
  /** Aborts running calls. The next start repeats them. */
  stop(): Promise<void>;
}

const pollMs = 1_000;
const leaseSlackMs = 30_000;
/**
 * Limit on attempts for a mail that the model does not summarise, and for a mail whose turn came while the service failed.
 */
const attempts = { ofTheMail: 3, ofTheService: 50 };
/** Fifty attempts with pauses of at most six hours take more than a week. */
const longestWaitMs = 6 * 3_600_000;
const longestPauseMs = 10 * 60_000;
const budgetPauseMs = 10 * 60_000;

/** Returns 2 s, 4 s, 8 s and so on. */
function doubling(times: number, mostMs: number): number {
  return Math.min(2_000 * 2 ** Math.min(times - 1, 30), mostMs);
}

/**
 * Starts replacing extracts by a model's summaries. Runs in the leader. A failure of the service pauses all summaries.
 * A failure of one mail delays only that mail.
 */
export function startSummaries(settings: SummaryRunnerSettings): SummaryRunner {
  const { queue, objects, model, callsPerDay, concurrency, timeoutMs, log } = settings;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let looking: Promise<void> = Promise.resolve();
  let isLooking = false;
  const service = createServiceState(log);
  const poll = setInterval(wake, pollMs);

  function wake(): void {
    if (stopping.signal.aborted || isLooking || !service.isUsable()) return;
    isLooking = true;
    looking = look().finally(() => (isLooking = false));
  }

  async function look(): Promise<void> {
    // After a failure one call is enough to test the service.
    const limit = (service.isDoubtful() ? 1 : concurrency) - running.size;
    if (limit <= 0) return;
    try {
      for (const due of await queue.claim({ limit, leaseMs: timeoutMs + leaseSlackMs })) {
        const done = summarise(due)
          .catch((cause: unknown) => {
            log.warn("recording the outcome of a summary failed", {
              emailId: due.emailId,
              cause,
            });
          })
          .finally(() => {
            running.delete(done);
            wake();
          });
        running.add(done);
      }
    } catch (cause) {
      log.warn("looking for mail to summarise failed", { cause });
    }
  }

  async function summarise(due: DueSummary): Promise<void> {
    const [body, attachments] = await Promise.all([
      storedText(objects, due.text),
      attachmentWords(objects, due.attachmentTexts),
    ]);
    if (!(await queue.takeCall(callsPerDay))) {
      if (!service.isPaused()) log.info("today's model summaries are used up", { callsPerDay });
      service.rest(budgetPauseMs);
      await queue.putBack(due, notCounted(due, "the daily limit of calls is reached"));
      return;
    }
    let answer: string;
    try {
      answer = await model.write(summaryRequest(due, body), { signal: stopping.signal });
    } catch (thrown) {
      await failed(due, asToolError(thrown, false));
      return;
    }
    service.answered();
    const summary = cleanSummary(answer);
    if (summary === undefined)
      await tryAgain(due, "The model's answer contained no text.", attempts.ofTheMail);
    else await queue.replace(due, summary, { body, attachments });
  }

  async function failed(due: DueSummary, error: ToolError): Promise<void> {
    switch (error.kind) {
      case "cancelled":
        await queue.putBack(due, notCounted(due, error.message));
        return;
      case "auth":
      case "not_configured":
        service.refuse(error);
        await queue.putBack(due, notCounted(due, error.message));
        return;
      case "rate_limited":
        service.failed(error);
        await queue.putBack(due, notCounted(due, error.message));
        return;
      case "timeout":
      case "unavailable":
        service.failed(error);
        await tryAgain(due, error.message, attempts.ofTheService);
        return;
      default:
        log.warn("a mail was not summarised", { emailId: due.emailId, cause: error });
        await tryAgain(due, error.message, attempts.ofTheMail);
    }
  }

  function notCounted(due: DueSummary, reason: string) {
    return { attempts: due.attempts - 1, afterMs: 0, reason };
  }

  async function tryAgain(due: DueSummary, reason: string, most: number): Promise<void> {
    if (due.attempts >= most) await queue.giveUp(due, reason);
    else {
      const afterMs = doubling(due.attempts, longestWaitMs);
      await queue.putBack(due, { attempts: due.attempts, afterMs, reason });
    }
  }

  wake();
  return {
    stop: async () => {
      clearInterval(poll);
      stopping.abort();
      await looking;
      await Promise.all(running);
    },
  };
}

/** Creates the state of the model's service, as its last responses showed it. */
function createServiceState(log: Log) {
  let isRefused = false;
  let pausedUntil = 0;
  let failuresInARow = 0;
  return {
    isUsable: () => !isRefused && performance.now() >= pausedUntil,
    isPaused: () => performance.now() < pausedUntil,
    /** Returns whether the last call failed. */
    isDoubtful: () => failuresInARow > 0,
    answered: () => {
      failuresInARow = 0;
    },
    /** Pauses without a failure. */
    rest: (forMs: number) => {
      pausedUntil = performance.now() + forMs;
    },
    /** Pauses longer with each failure in a row. */
    failed: (error: ToolError) => {
      failuresInARow += 1;
      const askedMs = (error.retryAfterSeconds ?? 0) * 1_000;
      const pauseMs = Math.max(askedMs, doubling(failuresInARow, longestPauseMs));
      pausedUntil = Math.max(pausedUntil, performance.now() + pauseMs);
      log.warn("summaries by the model are paused", { pauseMs, cause: error });
    },
    /** Ends all calls until the next start, because the settings are wrong. */
    refuse: ({ message, hint = "", cause }: ToolError) => {
      if (!isRefused)
        log.error(
          `${message} ${hint} Until the next start, a summary is the first sentences of the mail.`,
          { cause },
        );
      isRefused = true;
    },
  };
}
