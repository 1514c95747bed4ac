import type { Log } from "../shared/log.ts";
import type { CallerLedgers } from "./caller-ledgers.ts";
import type { GivenContent, Ledger } from "./ledger.ts";
import type { MarksMaker } from "./marks-maker.ts";
import type { Sealer } from "./packed-marks.ts";
import {
  type LeftMark,
  type OpenMark,
  type Recording,
  type RecordingMarks,
  beginMark,
  joinedRecordings,
} from "./recording-marks.ts";

/**
 * How long a batch waits for results of later calls, because each write costs more than a call. A check of this process
 * ends the wait. One of another process waits for it too. Milliseconds.
 */
const gatherMs = 50;

/** Items of one caller that are kept after a failed write. If there are more, all its sent text needs approval. */
const mostKept = 500;

/** The received items and sent texts of a caller that wait for the next write. */
interface Batch {
  given: GivenContent[];
  sent: Recording["sent"][number][];
  /** The marks for other processes. They are removed when the batch is stored. */
  marks: Pick<OpenMark, "remove">[];
}

interface WaitingBatch extends Batch {
  isStored: Promise<void>;
  /** The mark that takes the next items. */
  openMark: OpenMark | undefined;
  /** The recordings of this turn of the event loop, which share a write. */
  unmarked: Recording[];
  /** Resolves when these recordings are marked or, without marks, stored. */
  isMarked: Promise<void> | undefined;
}

/** Records what callers received and sent, in order. */
export interface Recorder {
  /**
   * Records items. A result waits for the promise, because only then can other processes see that the recording has
   * begun. It rejects if nothing was recorded.
   */
  given(principal: string, contents: readonly GivenContent[]): Promise<void> | undefined;
  sent(principal: string, text: Recording["sent"][number]): Promise<void>;
  /** Waits until all earlier items of the caller are recorded by this process. Failed records are tried again. */
  recorded(principal: string): Promise<void>;
  /**
   * Records what processes that were killed had returned, and removes their marks.
   * @returns false if something could not be read or recorded
   */
  finish(principal: string, left: readonly LeftMark[]): Promise<boolean>;
  /** Returns whether an item is being recorded, and all items that are not recorded yet satisfy a test. */
  isPending(principal: string, test: (content: GivenContent) => boolean): boolean;
  /** Returns whether an item could not be recorded. */
  isIncomplete(principal: string): boolean;
  /** Resolves when everything is stored. */
  idle(): Promise<void>;
}

/**
 * Creates the recorder.
 * @param settings.marks undefined if the processes of a caller share no file system
 */
export function createRecorder({
  ledger,
  callers,
  maker,
  marks,
  sealer,
  log,
}: {
  ledger: Ledger;
  callers: CallerLedgers;
  maker: MarksMaker;
  sealer: Sealer;
  marks: RecordingMarks | undefined;
  log: Log;
}): Recorder {
  const underWay = new Map<string, Promise<void>>();
  /** For each caller, the function that ends the wait for more entries of the batch. */
  const gathering = new Map<string, () => void>();
  /** For each caller, the number of calls that wait for the record. */
  const waiters = new Map<string, number>();
  /** Batches that wait for the caller's previous batch. */
  const waiting = new Map<string, WaitingBatch>();
  /** Batches that are not stored yet, by their caller. */
  const unstored = new Map<string, Set<Batch>>();
  /** Batches whose write failed. Until they are recorded, everything that the caller sends needs approval. */
  const failed = new Map<string, Batch>();
  /** Callers with an item that is not kept. Everything that they send needs approval. */
  const lost = new Set<string>();

  /** Runs the work of one caller in order, so that entries have the order of the results. */
  function later(principal: string, work: () => Promise<void>): Promise<void> {
    const before = underWay.get(principal) ?? Promise.resolve();
    const worked = before.then(() => gathered(principal)).then(work);
    const next = worked
      .catch((cause: unknown) => {
        log.warn("recording the items that a caller received failed", { cause });
      })
      .finally(() => {
        if (underWay.get(principal) === next) underWay.delete(principal);
      });
    underWay.set(principal, next);
    return worked;
  }

  /** Waits for more entries of the same batch, unless a call waits for the record. */
  function gathered(principal: string): Promise<void> {
    return new Promise((resolve) => {
      const begin = (): void => void setImmediate(resolve);
      if (waiters.has(principal)) return begin();
      const timer = setTimeout(resolve, gatherMs);
      gathering.set(principal, () => {
        clearTimeout(timer);
        begin();
      });
    });
  }

  async function recorded(principal: string): Promise<void> {
    const again = failed.get(principal);
    if (again !== undefined && failed.delete(principal)) add(nextBatch(principal), again);
    const running = underWay.get(principal);
    if (running === undefined) return;
    waiters.set(principal, (waiters.get(principal) ?? 0) + 1);
    gathering.get(principal)?.();
    await running;
    const left = (waiters.get(principal) ?? 1) - 1;
    if (left > 0) waiters.set(principal, left);
    else waiters.delete(principal);
  }

  /**
   * Returns the batch that is stored next. Simultaneous calls of one caller share one job of the thread and one write.
   */
  function nextBatch(principal: string): WaitingBatch {
    const known = waiting.get(principal);
    if (known !== undefined) return known;
    const batch: WaitingBatch = {
      given: [],
      sent: [],
      marks: [],
      openMark: undefined,
      unmarked: [],
      isMarked: undefined,
      isStored: later(principal, async () => {
        waiting.delete(principal);
        batch.openMark?.end();
        try {
          await stored(principal, batch);
        } catch (cause) {
          // The marks stay, so that other processes try it too.
          keep(principal, batch);
          throw cause;
        } finally {
          batches.delete(batch);
        }
        for (const mark of batch.marks) mark.remove();
      }),
    };
    waiting.set(principal, batch);
    const batches = unstored.get(principal) ?? new Set();
    unstored.set(principal, batches.add(batch));
    return batch;
  }

  function keep(principal: string, batch: Batch): void {
    const kept = failed.get(principal) ?? { given: [], sent: [], marks: [] };
    add(kept, batch);
    failed.set(principal, kept);
    if (kept.given.length + kept.sent.length <= mostKept) return;
    failed.delete(principal);
    lost.add(principal);
  }

  /**
   * Stores a batch, and tries it once more if a call waits for it. One failed write is no reason to ask a person.
   */
  async function stored(principal: string, batch: Batch): Promise<void> {
    try {
      await store(principal, batch);
    } catch (cause) {
      if (!waiters.has(principal)) throw cause;
      log.warn("recording the items that a caller received failed, and is tried again", { cause });
      await store(principal, batch);
    }
  }

  async function store(principal: string, { given: all, sent }: Batch): Promise<void> {
    const given = newestOfEach(all);
    const made =
      given.length === 0
        ? []
        : await maker.make(
            given.map(({ texts, topics = [] }) => ({
              text: texts.join("\n\n"),
              topic: topics.join("\n"),
            })),
          );
    const stored = given.flatMap(({ texts: _texts, topics: _topics, ...source }, index) => {
      const own = made[index];
      return own ? [{ source, marks: own.packed, digest: own.digest }] : [];
    });
    // Both begin at the same time, so that they share a disk sync.
    await Promise.all([
      stored.length === 0 ? undefined : callers.add(principal, ledger.add(principal, stored), made),
      sent.length === 0 ? undefined : storeSent(principal, sent),
    ]);
  }

  async function storeSent(principal: string, sent: Recording["sent"]): Promise<void> {
    const sealed = sent.map(({ destination, text }) => ({
      destination,
      text: sealer.seal(Buffer.from(text)),
    }));
    callers.addSent(principal, sent, await ledger.addSent(principal, sealed));
  }

  /** Adds to the next batch, and returns the promise that the result waits for. */
  function begin(principal: string, recording: Recording): Promise<void> {
    const batch = nextBatch(principal);
    add(batch, { ...recording, marks: [] });
    batch.unmarked.push(recording);
    if (batch.isMarked === undefined) {
      batch.isMarked = Promise.resolve().then(() => mark(principal, batch));
      // A call that fails does not wait for its mark.
      batch.isMarked.catch(() => undefined);
    }
    return batch.isMarked;
  }

  /** Marks what simultaneous calls added. */
  function mark(principal: string, batch: WaitingBatch): Promise<void> | undefined {
    const recording = joinedRecordings(batch.unmarked);
    batch.unmarked = [];
    batch.isMarked = undefined;
    if (batch.openMark?.add(recording) === true) return undefined;
    batch.openMark = beginMark(marks, { principal, recording, log });
    if (batch.openMark === undefined) {
      void recorded(principal);
      return batch.isStored;
    }
    batch.marks.push(batch.openMark);
    return undefined;
  }

  return {
    given: (principal, given) =>
      given.length === 0 ? undefined : begin(principal, { given, sent: [] }),
    sent: (principal, text) => begin(principal, { given: [], sent: [text] }),
    recorded,
    finish: async (principal, left) => {
      const readable = left.flatMap(({ recording, remove }) =>
        recording === undefined ? [] : [{ ...recording, marks: [{ remove }] }],
      );
      if (readable.length > 0) {
        const batch = nextBatch(principal);
        for (const each of readable) add(batch, each);
        await recorded(principal);
      }
      return readable.length === left.length;
    },
    isPending: (principal, test) =>
      underWay.has(principal) &&
      !failed.has(principal) &&
      [...(unstored.get(principal) ?? [])].every(({ given }) => given.every(test)),
    isIncomplete: (principal) => failed.has(principal) || lost.has(principal),
    idle: async () => void (await Promise.all([...underWay.keys()].map(recorded))),
  };
}

function add(
  batch: Batch,
  { given, sent, marks }: Recording & { marks: readonly Pick<OpenMark, "remove">[] },
): void {
  batch.given.push(...given);
  batch.sent.push(...sent);
  batch.marks.push(...marks);
}

/** Returns the items without those that a later item with the same text replaces. */
function newestOfEach(contents: readonly GivenContent[]): readonly GivenContent[] {
  const keyOf = ({ kind, id, texts }: GivenContent): string => JSON.stringify([kind, id, texts]);
  const newest = new Map(contents.map((content) => [keyOf(content), content]));
  return contents.filter((content) => newest.get(keyOf(content)) === content);
}
