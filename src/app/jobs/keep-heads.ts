import type { ChainPlace } from "../../core/audit/audit-chain.ts";
import type { AuditReader } from "../../core/audit/audit-reader.ts";
import type { Log } from "../../core/shared/log.ts";
import { type HeadPlace, readHeads, writeHead } from "../../stores/audit-heads.ts";

/** A head that is so old is replaced: with the time between two looks it is an hour. Milliseconds. */
const dueAfterMs = 55 * 60_000;
const lookMs = 5 * 60_000;
/** The first look is soon: many servers live for minutes only, and are killed. Milliseconds. */
const firstLookMs = 10_000;
/** A stop does not wait longer for a store that is slow. Milliseconds. */
const stopWithinMs = 2_000;

export interface HeadKeeper {
  /** Writes a head where this process has added events since the last one. */
  close(): Promise<void>;
}

/**
 * Writes the log's head to every place, hourly and at the end, of what this process has added itself. The first place is
 * asked how old the newest is, so that processes that live for less than an hour keep to it as well.
 */
export function keepHeads(settings: {
  places: readonly HeadPlace[];
  /** Where this process last added an event. */
  written: () => ChainPlace | undefined;
  key: Uint8Array;
  keyId: string;
  reader: AuditReader;
  log: Log;
  clock?: () => Date;
  /** Milliseconds. */
  firstLookAfterMs?: number;
  lookEveryMs?: number;
}): HeadKeeper {
  const { places, written, keyId, log } = settings;
  const clock = settings.clock ?? (() => new Date());
  let sealedUpTo = 0;
  let looking: Promise<void> = Promise.resolve();
  const first = setTimeout(look, settings.firstLookAfterMs ?? firstLookMs).unref();
  const timer = setInterval(look, settings.lookEveryMs ?? lookMs).unref();

  function look(): void {
    looking = looking.then(() => isDue()).then((due) => (due ? write() : undefined));
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
      await Promise.race([looking.then(() => write(limit)), late]);
    },
  };
}
