import type { ChainPlace } from "../../core/audit/audit-chain.ts";
import type { AuditReader } from "../../core/audit/audit-reader.ts";
import type { Log } from "../../core/shared/log.ts";
import { type HeadPlace, readHeads, writeHead } from "../../stores/audit-heads.ts";

/** A head of this age is replaced. With the poll interval that makes one hour. Milliseconds. */
const dueAfterMs = 55 * 60_000;
const checkMs = 5 * 60_000;
/** Early, because many servers live for minutes only and are then killed. Milliseconds. */
const firstCheckMs = 10_000;
/** A stop waits this long for a slow store. Milliseconds. */
const stopWithinMs = 2_000;

export interface HeadKeeper {
  /** Writes a head if this process has added events since the last one. */
  close(): Promise<void>;
}

/**
 * Writes the head of the audit record to every place, hourly and at the end, if this process added events. The age of
 * the newest head is read from the first place, so that processes that live less than an hour keep the interval too.
 */
export function keepHeads(settings: {
  places: readonly HeadPlace[];
  /** Returns the place of the last event that this process added. */
  written: () => ChainPlace | undefined;
  key: Uint8Array;
  keyId: string;
  reader: AuditReader;
  log: Log;
  clock?: () => Date;
  /** Milliseconds. */
  firstCheckAfterMs?: number;
  checkEveryMs?: number;
}): HeadKeeper {
  const { places, written, keyId, log } = settings;
  const clock = settings.clock ?? (() => new Date());
  let sealedUpTo = 0;
  let checking: Promise<void> = Promise.resolve();
  const first = setTimeout(writeIfDue, settings.firstCheckAfterMs ?? firstCheckMs).unref();
  const timer = setInterval(writeIfDue, settings.checkEveryMs ?? checkMs).unref();

  function writeIfDue(): void {
    checking = checking.then(() => isDue()).then((due) => (due ? write() : undefined));
  }

  async function isDue(): Promise<boolean> {
    const [place] = places;
    if (written() === undefined || place === undefined) return false;
    const { heads } = await readHeads(place);
    const times = heads.filter(({ head }) => head.keyId === keyId).map(({ head }) => head.at);
    return clock().getTime() - Math.max(0, ...times.map((at) => at.getTime())) > dueAfterMs;
  }

  async function write(signal?: AbortSignal): Promise<void> {
    const last = written();
    if (last === undefined || last.seq <= sealedUpTo) return;
    const options = { ...settings, at: clock(), ...(signal && { signal }) };
    const results = await Promise.allSettled(
      places.map((place) => writeHead(place, last, options)),
    );
    const failed = results.filter((result) => result.status === "rejected");
    if (failed.length === 0) sealedUpTo = last.seq;
    for (const { reason: cause } of failed) {
      log.warn("writing the head of the audit record failed", { cause });
    }
  }

  return {
    close: async () => {
      clearTimeout(first);
      clearInterval(timer);
      const limit = AbortSignal.timeout(stopWithinMs);
      const late = new Promise<void>((resolve) => limit.addEventListener("abort", () => resolve()));
      await Promise.race([checking.then(() => write(limit)), late]);
    },
  };
}
