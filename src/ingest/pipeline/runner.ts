import type { Log } from "../../core/shared/log.ts";
import type { MailStore } from "../../ports/mail/mail-store.ts";
import type { MailInHand, Step } from "./step.ts";
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

export interface WorkerSlot {
  /** The lease that the message needs, in milliseconds. */
  leaseMs: number;
  /** Fills the slot, or releases it. */
  take(mail: MailInHand | undefined): void;
}

/** How long a new message waits for others, in milliseconds, and how many make a batch. Batches cost less. */
const gatherMs = 200;
export const enoughTogether = 64;
/** New messages stay in memory until they are processed. These limit their number and bytes. */
const mostFresh = 256;
const mostFreshBytes = 8_000_000;

/** Larger messages are processed one at a time. A message that waits for another is read back later. Bytes. */
const largeBytes = 1_000_000;

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
  const inHand = new Map<string, Promise<void>>();
  /** Slots of new messages, filled or reserved, and the bytes of those messages. */
  let fresh = 0;
  let freshBytes = 0;
  /** Stored messages whose processing has not begun. */
  let gathered: MailInHand[] = [];
  let gathering: ReturnType<typeof setTimeout> | undefined;
  /** The queue of large messages, and their number including reserved slots. */
  let large: Promise<void> = Promise.resolve();
  let largeOnes = 0;
  let stopped = false;
  let looking: Promise<void> | undefined;
  let again = false;
  /** True if the last look left messages or found no free slot. The next look is when a slot is free. */
  let more = false;
  const poll = setInterval(wake, pollMs);
  const renewal = setInterval(() => {
    const claims = [...inHand.keys()];
    if (claims.length === 0) return;
    store
      .renew(claims, leaseMs)
      .catch((cause: unknown) => log.warn("renewing the leases of mail failed", { cause }));
  }, leaseMs / 3);

  function wake(): void {
    if (stopped) return;
    if (looking !== undefined) {
      again = true;
      return;
    }
    looking = look().finally(() => {
      looking = undefined;
      if (again) {
        again = false;
        wake();
      }
    });
  }

  async function look(): Promise<void> {
    try {
      const limit = concurrency - inHand.size;
      // Waits until half of the slots are free, because a look costs as much as claiming many messages.
      if (limit < concurrency / 2) {
        more = true;
        return;
      }
      const claimed = await store.claim({ steps: names, limit, leaseMs });
      more = claimed.length === limit;
      for (const mail of claimed) void begin(mail);
    } catch (cause) {
      log.warn("looking for mail to process failed", { cause });
    }
  }

  function gather(mail: MailInHand): void {
    gathered.push(mail);
    gathering ??= setTimeout(beginGathered, gatherMs);
    if (gathered.length >= enoughTogether || stopped) beginGathered();
  }

  function beginGathered(): void {
    clearTimeout(gathering);
    gathering = undefined;
    const mails = gathered;
    gathered = [];
    for (const mail of mails) beginFresh(mail);
  }

  function beginFresh(mail: MailInHand): void {
    void begin(mail).finally(() => release(mail.rawBytes));
  }

  function release(bytes: number): void {
    fresh -= 1;
    if (bytes <= largeBytes) freshBytes -= bytes;
  }

  function begin(mail: MailInHand): Promise<void> {
    const isLarge = mail.rawBytes > largeBytes;
    if (isLarge) largeOnes += 1;
    const run = (): Promise<void> => stepRunner.run(mail);
    const done = (isLarge ? large.then(run) : run()).finally(() => {
      inHand.delete(mail.claim);
      if (isLarge) largeOnes -= 1;
      if (more) wake();
    });
    if (isLarge) large = done;
    inHand.set(mail.claim, done);
    return done;
  }

  wake();
  return {
    wake,
    reserve: (bytes) => {
      const isLarge = bytes > largeBytes;
      const isFull = isLarge ? largeOnes > 0 : freshBytes + bytes > mostFreshBytes;
      // After trouble, most likely of a store, new messages are not taken from memory.
      if (stopped || stepRunner.trouble() !== undefined || fresh >= mostFresh || isFull)
        return undefined;
      fresh += 1;
      if (isLarge) largeOnes += 1;
      else freshBytes += bytes;
      return {
        leaseMs,
        take: (mail) => {
          if (isLarge) largeOnes -= 1;
          if (mail === undefined) release(bytes);
          else if (isLarge) beginFresh(mail);
          else gather(mail);
        },
      };
    },
    trouble: () => stepRunner.trouble(),
    stop: async () => {
      stopped = true;
      clearInterval(poll);
      await looking;
      beginGathered();
      await Promise.all(inHand.values());
      clearInterval(renewal);
    },
  };
}
