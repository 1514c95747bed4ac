import type { Log } from "../../core/shared/log.ts";
import type { ClaimedMail, MailStore, NextState } from "../../ports/mail/mail-store.ts";
import type { Findings, MailInHand, Step } from "./step.ts";

export interface RunnerSettings {
  store: MailStore;
  steps: readonly Step[];
  log: Log;
  /** Messages worked on at a time. */
  concurrency?: number;
  /** How often messages of other processes and due retries are looked for. Milliseconds. */
  pollMs?: number;
  /** A claim that is not renewed for so long is free for others. Milliseconds. */
  leaseMs?: number;
  /** Pause after a failed attempt, in milliseconds; attempts count from 1. */
  backOffMs?: (attempts: number) => number;
}

export interface Runner {
  /** Work is waiting: look now. */
  wake(): void;
  /** A place for a message that is being kept: it goes on at once. Undefined where it must wait for its turn. */
  reserve(bytes: number): WorkerSlot | undefined;
  /** Takes no more messages; resolves when those in hand are written down. The rest is done by the next start. */
  stop(): Promise<void>;
}

export interface WorkerSlot {
  /** How long the message is to be leased. */
  leaseMs: number;
  /** Fills the place, or gives it back. */
  take(mail: MailInHand | undefined): void;
}

/** How long a message that was just kept waits for others, in milliseconds, and how many are enough: together they cost less. */
const gatherMs = 200;
export const enoughTogether = 64;
/** Messages that were just kept are in memory until they are done: so many of them at most, and so many bytes. */
const mostFresh = 256;
const mostFreshBytes = 8_000_000;

/** Larger messages go one at a time; where another is before it, one is read back instead of waiting in memory. Bytes. */
const largeBytes = 1_000_000;

/** 5 s, 10 s, 20 s and so on up to half an hour. */
function doubling(attempts: number): number {
  return Math.min(5_000 * 2 ** (attempts - 1), 30 * 60_000);
}

/**
 * Takes messages from where they are to the end of the list of steps. It owns no state: a crash leaves a lease that ends,
 * and whoever claims the message then goes on with the step that was not written down.
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
  const inHand = new Map<string, Promise<void>>();
  /** Places of messages that were just kept, or are about to be, and the bytes of these. */
  let fresh = 0;
  let freshBytes = 0;
  /** Kept just now, and not begun yet. */
  let gathered: MailInHand[] = [];
  let gathering: ReturnType<typeof setTimeout> | undefined;
  /** The large messages in hand, one after the other, and how many they are with those that have a place. */
  let large: Promise<void> = Promise.resolve();
  let largeOnes = 0;
  /** What was tried last failed: most likely a store, and then nothing more is taken before it is known to be kept. */
  let troubled = false;
  let stopped = false;
  let looking: Promise<void> | undefined;
  let again = false;
  /** The last look left something, or found no place: look again when there is one. */
  let more = false;
  const poll = setInterval(wake, pollMs);
  const renewal = setInterval(() => {
    const claims = [...inHand.keys()];
    if (claims.length === 0) return;
    store
      .renew(claims, leaseMs)
      .catch((cause: unknown) => log.warn("could not renew leases", { cause }));
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
      // Half of them at a time: each look costs as much as a claim of many.
      if (limit < concurrency / 2) {
        more = true;
        return;
      }
      const claimed = await store.claim({ steps: names, limit, leaseMs });
      more = claimed.length === limit;
      for (const mail of claimed) void begin(mail);
    } catch (cause) {
      log.warn("could not look for mail to work on", { cause });
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
    void begin(mail).finally(() => giveBack(mail.rawBytes));
  }

  function giveBack(bytes: number): void {
    fresh -= 1;
    if (bytes <= largeBytes) freshBytes -= bytes;
  }

  function begin(mail: MailInHand): Promise<void> {
    const isLarge = mail.rawBytes > largeBytes;
    if (isLarge) largeOnes += 1;
    const done = (isLarge ? large.then(() => runFrom(mail)) : runFrom(mail)).finally(() => {
      inHand.delete(mail.claim);
      if (isLarge) largeOnes -= 1;
      if (more) wake();
    });
    if (isLarge) large = done;
    inHand.set(mail.claim, done);
    return done;
  }

  async function runFrom(claimed: MailInHand): Promise<void> {
    let mail: MailInHand = claimed;
    let written: MailInHand = claimed;
    let unwritten: Findings = {};
    for (let index = names.indexOf(claimed.step); index < steps.length; index += 1) {
      const step = steps[index];
      if (step === undefined) return;
      const attempts = step.name === claimed.step ? claimed.attempts : 1;
      const result = await attempt(step, mail, attempts);
      const found = "findings" in result ? result.findings : {};
      unwritten = { ...unwritten, ...found };
      mail = { ...mail, ...found };
      const following = steps[index + 1];
      const next: NextState =
        "next" in result
          ? result.next
          : following === undefined
            ? { do: "finish" }
            : { do: "run", step: following.name };
      if (next.do === "run" && !step.isCheckpoint) continue;
      if (!(await write(written, unwritten, next)) || next.do !== "run") return;
      written = mail;
      unwritten = {};
    }
  }

  async function attempt(
    step: Step,
    mail: MailInHand,
    attempts: number,
  ): Promise<{ findings: Findings } | { next: NextState }> {
    // More attempts than allowed: the process died in this step each time.
    let reason = "it ended the process each time";
    if (attempts <= step.attempts) {
      try {
        const findings = await step.run(mail);
        troubled = false;
        return { findings };
      } catch (cause) {
        troubled = true;
        reason = cause instanceof Error ? cause.message : String(cause);
        log.warn("a step of a mail failed", {
          emailId: mail.emailId,
          step: step.name,
          attempts,
          cause,
        });
      }
      if (attempts < step.attempts) {
        return {
          next: { do: "retry", step: step.name, attempts, afterMs: backOffMs(attempts), reason },
        };
      }
    }
    try {
      if (step.otherwise !== undefined) return { findings: await step.otherwise(mail, reason) };
    } catch (cause) {
      log.warn("a step of a mail failed for good", {
        emailId: mail.emailId,
        step: step.name,
        cause,
      });
    }
    return { next: { do: "give up", step: step.name, reason } };
  }

  /** False where the message is no longer ours, or the store fails: then the lease ends and the step is repeated. */
  async function write(claimed: ClaimedMail, found: Findings, next: NextState): Promise<boolean> {
    const { text: _text, extract: _extract, raw: _raw, inbox: _inbox, ...progress } = found;
    try {
      return await store.advance(claimed, { ...progress, next });
    } catch (cause) {
      log.warn("could not write down how far a mail is", { emailId: claimed.emailId, cause });
      return false;
    }
  }

  wake();
  return {
    wake,
    reserve: (bytes) => {
      const isLarge = bytes > largeBytes;
      const isFull = isLarge ? largeOnes > 0 : freshBytes + bytes > mostFreshBytes;
      if (stopped || troubled || fresh >= mostFresh || isFull) return undefined;
      fresh += 1;
      if (isLarge) largeOnes += 1;
      else freshBytes += bytes;
      return {
        leaseMs,
        take: (mail) => {
          if (isLarge) largeOnes -= 1;
          if (mail === undefined) giveBack(bytes);
          else if (isLarge) beginFresh(mail);
          else gather(mail);
        },
      };
    },
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
