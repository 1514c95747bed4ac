import { setTimeout as later } from "node:timers/promises";
import type { Log } from "../core/shared/log.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { MailPlace, MailSource, WaitingMail } from "../ports/mail/mail-source.ts";
import type { RejectedMail } from "../ports/mail/rejected-mail.ts";
import type { Receipt } from "../ports/mail/mail-store.ts";
import { fetchLimits } from "./limits.ts";

export interface FetchSettings<Mail extends WaitingMail> {
  place: MailPlace<Mail>;
  maxBytes: number;
  /** Resolves when the message is stored durably. Only then is it removed from its source. */
  keep: (message: Uint8Array, arrival: Omit<Receipt, "rawSha256" | "bytes">) => Promise<unknown>;
  /**
   * Records a message that cannot be accepted, before it is rejected. Returns false if the message no longer exists.
   */
  reject: (mail: RejectedMail) => Promise<boolean>;
  log: Log;
  /** Waits this long. Resolves early if the signal is aborted. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

export interface Fetching {
  /** Stops fetching and ends the running fetch. */
  close(): Promise<void>;
}

/** Starts fetching all mail from a source, and continues after every failure until it is closed. */
export function startFetching<Mail extends WaitingMail>(settings: FetchSettings<Mail>): Fetching {
  const { place, log, pause = quietly } = settings;
  const stop = new AbortController();
  const taker = createTaker(settings, stop.signal);
  let source: MailSource<Mail> | undefined;
  let failures = 0;
  let reported: string | undefined;

  function worked(): void {
    if (reported !== undefined) log.info(`fetching mail from ${place.name} works again`);
    failures = 0;
    reported = undefined;
  }

  /** Logs each problem once, and not at every attempt. */
  function failed(error: unknown): void {
    failures += 1;
    const reason = error instanceof ToolError ? error.message : "The program failed.";
    const hint = error instanceof ToolError && error.hint !== undefined ? ` ${error.hint}` : "";
    const level = reason === reported ? "debug" : lasts(error) ? "error" : "warn";
    log[level](`fetching mail from ${place.name} failed: ${reason}${hint}`, { cause: error });
    reported = reason;
  }

  /** Resolves when new mail may wait or a delayed message is due. */
  async function changed(source: MailSource<Mail>, heldMs: number | undefined): Promise<void> {
    const enough = new AbortController();
    const signal = AbortSignal.any([stop.signal, enough.signal]);
    const change = source.changed(signal);
    if (heldMs !== undefined) void pause(heldMs, signal).then(() => enough.abort());
    await change.finally(() => enough.abort());
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        source = await place.open(stop.signal);
        while (!stop.signal.aborted) {
          const heldMs = await taker.takeAll(source);
          worked();
          await changed(source, heldMs);
        }
      } catch (error) {
        if (stop.signal.aborted) break;
        failed(error);
        await pause(waitMs(failures, error), stop.signal);
      } finally {
        await source?.close().catch((cause: unknown) => {
          log.debug("closing a mail source failed", { cause });
        });
        source = undefined;
      }
    }
  }

  const running = run();
  return {
    close: async () => {
      stop.abort();
      // A stop must not wait for a source that hangs.
      const limit = setTimeout(() => void source?.close(), fetchLimits.closeMs);
      await running;
      clearTimeout(limit);
    },
  };
}

/**
 * Creates a function that fetches messages one by one. Messages that failed are delayed, so that others are fetched
 * first.
 */
function createTaker<Mail extends WaitingMail>(
  { place, maxBytes, keep, reject, log, now = () => performance.now() }: FetchSettings<Mail>,
  stopped: AbortSignal,
) {
  /** Stored messages that are still in the source. After a reconnect they are not fetched again. */
  const kept = new Set<string>();
  /** Failed messages with the number of failures and the time of the next attempt. */
  const failing = new Map<string, { times: number; until: number }>();
  /** How often the beginning of a message could not be read. Such a message may break the connection each time. */
  const unread = new Map<string, number>();

  async function take(source: MailSource<Mail>, mail: Mail): Promise<void> {
    if (!kept.has(mail.id)) {
      const message = await whole(source, mail);
      if (message === undefined) return;
      await keep(message, { intake: place.intake, peer: mail.place });
      kept.add(mail.id);
    }
    await source.markProcessed(mail);
    kept.delete(mail.id);
  }

  async function beginningOf(source: MailSource<Mail>, mail: Mail, bytes: number) {
    const times = unread.get(mail.id) ?? 0;
    if (times >= fetchLimits.beginningTries) return new Uint8Array();
    unread.set(mail.id, times + 1);
    const beginning = await source.beginning(mail, bytes);
    unread.delete(mail.id);
    return beginning;
  }

  /** Returns the message. Undefined if it no longer exists or was rejected. */
  async function whole(source: MailSource<Mail>, mail: Mail): Promise<Uint8Array | undefined> {
    const rejectBecause = async (reason: string): Promise<undefined> => {
      const { id, bytes } = mail;
      const location = source.rejectFolder(mail);
      const isThere = await reject({
        id,
        intake: place.intake,
        source: place.name,
        location,
        bytes,
        reason,
        beginning: (length) => beginningOf(source, mail, length),
      });
      if (!isThere) return;
      await source.reject(mail);
      unread.delete(id);
      log.warn(`a message was rejected: ${reason}. It was moved to ${location}.`, {
        from: mail.place,
      });
    };
    const tooLarge = `INGEST_MAX_BYTES allows ${maxBytes} bytes`;
    if (mail.bytes > maxBytes)
      return await rejectBecause(`it has ${mail.bytes} bytes; ${tooLarge}`);
    try {
      const message = await source.read(mail, maxBytes);
      return message?.length === 0 ? await rejectBecause("it is empty") : message;
    } catch (error) {
      if (!(error instanceof ToolError) || error.kind !== "too_large") throw error;
      return await rejectBecause(tooLarge);
    }
  }

  function onHold(): { ids: Set<string>; ms: number | undefined } {
    const time = now();
    for (const [id, { until }] of failing)
      if (until + fetchLimits.lastingMs < time) failing.delete(id);
    const held = [...failing].filter(([, { until }]) => until > time);
    const first = Math.min(...held.map(([, { until }]) => until));
    return {
      ids: new Set(held.map(([id]) => id)),
      ms: held.length === 0 ? undefined : Math.ceil(first - time),
    };
  }

  return {
    /**
     * Fetches until only delayed messages wait. Resolves with the time until the first of them is due, in milliseconds.
     * Rejects with the first failure.
     */
    takeAll: async (source: MailSource<Mail>): Promise<number | undefined> => {
      for (;;) {
        const held = onHold();
        const batch = await source.waiting(held.ids);
        if (batch.length === 0) return held.ms;
        for (const mail of batch) {
          if (stopped.aborted) return undefined;
          try {
            await take(source, mail);
            failing.delete(mail.id);
          } catch (error) {
            const times = (failing.get(mail.id)?.times ?? 0) + 1;
            failing.set(mail.id, { times, until: now() + waitMs(times, error) });
            throw error;
          }
        }
      }
    },
  };
}

/**
 * Returns whether a person must fix the problem. Frequent attempts are then useless, and some servers lock the account.
 */
function lasts(error: unknown): boolean {
  return error instanceof ToolError && (error.kind === "auth" || error.kind === "not_configured");
}

function waitMs(times: number, error: unknown): number {
  const asked = error instanceof ToolError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
  if (lasts(error)) return fetchLimits.lastingMs;
  const wait = Math.min(fetchLimits.maxWaitMs, fetchLimits.firstWaitMs * 2 ** (times - 1));
  return Math.max(asked, wait * (0.75 + Math.random() / 2));
}

async function quietly(ms: number, signal: AbortSignal): Promise<void> {
  await later(ms, undefined, { signal }).catch(() => undefined);
}
