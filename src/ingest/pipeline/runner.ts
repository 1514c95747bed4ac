import type { Log } from "../../core/shared/log.ts";
import type { MailStore } from "../../ports/mail/mail-store.ts";
import {
  createLargeQueue,
  createNewMailSlots,
  isLarge,
  type WorkerSlot,
} from "./new-mail-slots.ts";
import type { MailInProgress, Step } from "./step.ts";
import { createStepRunner } from "./step-runner.ts";

export interface RunnerSettings {
  store: MailStore;
  steps: readonly Step[];
  log: Log;
  /** Messages that are processed concurrently. */
  concurrency?: number;
  /** How often the runner looks for messages of other processes and for due retries. Milliseconds. */
  pollMs?: number;
  /** Other processes may take a claim that was not renewed for this long. Milliseconds. */
  leaseMs?: number;
  /** Returns the pause after a failed attempt, in milliseconds. Attempts count from 1. */
  backOffMs?: (attempts: number) => number;
}

export interface Runner {
  /** Looks for due messages now. */
  wake(): void;
  /**
   * Reserves a slot for a message that is being stored, so that it is processed immediately. Returns undefined if it
   * must wait.
   */
  reserve(bytes: number): WorkerSlot | undefined;
  /** Returns why the last step or its record failed. Undefined after a success. */
  trouble(): string | undefined;
  /**
   * Takes no more messages. Resolves when the progress of running ones is recorded. The next start continues with them.
   */
  stop(): Promise<void>;
}

/** Returns 5 s, 10 s, 20 s and so on, up to half an hour. */
function doubling(attempts: number): number {
  return Math.min(5_000 * 2 ** (attempts - 1), 30 * 60_000);
}

/**
 * Starts to process messages with the list of steps. The runner itself has no durable state. After a crash its leases
 * end, and the process that claims a message continues with the first step that was not recorded.
 */
export function startRunner(settings: RunnerSettings): Runner {
  const {
    store,
    steps,
    log,
    concurrency = 16,
    pollMs = 1_000,
    leaseMs = 10_000,
    backOffMs = doubling,
  } = settings;
  const names = steps.map(({ name }) => name);
  const stepRunner = createStepRunner({ store, steps, log, backOffMs });
  const running = new Map<string, Promise<void>>();
  const large = createLargeQueue();
  const newMail = createNewMailSlots({ begin, large, leaseMs });
  let isStopped = false;
  let looking: Promise<void> | undefined;
  let isWoken = false;
  /** True if the last look left messages or found no free slot. The next look is when a slot is free. */
  let hasMore = false;
  const poll = setInterval(wake, pollMs);
  const renewal = setInterval(() => {
    const claims = [...running.keys()];
    if (claims.length === 0) return;
    store
      .renew(claims, leaseMs)
      .catch((cause: unknown) => log.warn("renewing the leases of mail failed", { cause }));
  }, leaseMs / 3);

  function wake(): void {
    if (isStopped) return;
    if (looking !== undefined) {
      isWoken = true;
      return;
    }
    looking = look().finally(() => {
      looking = undefined;
      if (isWoken) {
        isWoken = false;
        wake();
      }
    });
  }

  async function look(): Promise<void> {
    try {
      const limit = concurrency - running.size;
      // Waits until half of the slots are free, because a look costs as much as claiming many messages.
      if (limit < concurrency / 2) {
        hasMore = true;
        return;
      }
      const claimed = await store.claim({ steps: names, limit, leaseMs });
      hasMore = claimed.length === limit;
      for (const mail of claimed) void begin(mail);
    } catch (cause) {
      log.warn("looking for mail to process failed", { cause });
    }
  }

  function begin(mail: MailInProgress): Promise<void> {
    const run = (): Promise<void> => stepRunner.run(mail);
    const done = (isLarge(mail.rawBytes) ? large.run(run) : run()).finally(() => {
      running.delete(mail.claim);
      if (hasMore) wake();
    });
    running.set(mail.claim, done);
    return done;
  }

  wake();
  return {
    wake,
    // After trouble, most likely of a store, new messages are not taken from memory.
    reserve: (bytes) => (stepRunner.trouble() === undefined ? newMail.reserve(bytes) : undefined),
    trouble: () => stepRunner.trouble(),
    stop: async () => {
      isStopped = true;
      clearInterval(poll);
      newMail.stop();
      await looking;
      await Promise.all(running.values());
      clearInterval(renewal);
    },
  };
}
