import type { Log } from "../shared/log.ts";
import { createCallerLedgers } from "./caller-ledgers.ts";
import { hitsIn, rareOf } from "./compare.ts";
import { callsBack } from "./reading/fragments.ts";
import { createHasher } from "./hasher.ts";
import type { Match } from "./hit.ts";
import {
  type GivenContent,
  type GivenSource,
  type LeavingText,
  type Ledger,
  type Source,
  inShort,
} from "./ledger.ts";
import { shownValue } from "../shared/text/visible.ts";
import type { Line } from "../tool/tool.ts";
import type { MarksMaker } from "./marks-maker.ts";
import { originsOf } from "./origins.ts";
import { createSealer } from "./packed-marks.ts";
import { defaultRarity } from "./reading/rarity.ts";
import { readingsOf } from "./reading/readings.ts";
import type { FlowSetting } from "./setting.ts";
import { createWordFrequencies } from "./reading/word-frequencies.ts";

/** A call that would send text to a third party. */
export interface Sending {
  principal: string;
  destination: string;
  text: string;
  setting: FlowSetting;
  /** Returns whether an item came from the destination. A text that matches only such items may be sent back there. */
  gaveItself?: ((source: Pick<Source, "kind" | "id">) => boolean) | undefined;
}

/** Why a person must approve a text before it is sent. */
export interface FlowFinding {
  text: string;
  matches: readonly Match[];
  /** Our own words, without any of the text. */
  reason: string;
  /** The items that match, each once. */
  sources: readonly GivenSource[];
}

/** The record of the private items that callers received, and the check of outgoing text. */
export interface InformationFlow {
  /** Records the items in a result. Returns at once. The caller's next check waits for the record. */
  given(principal: string, contents: readonly GivenContent[]): void;
  /** Returns why a person must be asked before this text is sent. Undefined if it may be sent. */
  examine(sending: Sending): Promise<FlowFinding | undefined>;
  /** Records a sent text. Returns at once. */
  sent(sending: Pick<Sending, "principal" | "destination" | "text">): void;
  /** Returns the sources of a call's arguments that other people wrote, one line for each argument. */
  origins(principal: string, args: Readonly<Record<string, unknown>>): Promise<readonly Line[]>;
  /** Returns the ids of the mails whose text a caller received in the last hour, the newest first. */
  mailsRead(principal: string): Promise<readonly string[]>;
  /** Returns an item's name for a person. */
  readonly nameOf: (source: GivenSource) => Promise<string>;
  /** Resolves when everything is stored. */
  idle(): Promise<void>;
  /** Stores everything that is pending and ends the thread. */
  close(): Promise<void>;
}

const hourMs = 3_600_000;
/** Matches in one approval request. A longer list is hard to read. */
const maxMatches = 12;
/** The end of a longer text is stored, because the next part continues it. Characters. */
const sentCharacters = 600;

/** How long a batch waits for results of later calls, because each write costs more than a call. Milliseconds. */
const gatherMs = 5;

/** The received items and sent texts of a caller that wait for the next write. */
interface Batch {
  given: GivenContent[];
  sent: LeavingText[];
}

/** Creates the record. @param key the key of the installation, for the fingerprints */
export function createInformationFlow({
  ledger,
  key,
  maker,
  nameOf,
  log,
}: {
  ledger: Ledger;
  key: Uint8Array;
  maker: MarksMaker;
  nameOf: (source: GivenSource) => Promise<string>;
  log: Log;
}): InformationFlow {
  const hasher = createHasher(key);
  const sealer = createSealer(key);
  const callers = createCallerLedgers(ledger, { sealer, callsBack });
  const frequenciesOf = createWordFrequencies(ledger, () => performance.now());
  const underWay = new Map<string, Promise<void>>();
  /** For each caller, the function that ends the wait for more entries of the batch. */
  const gathering = new Map<string, () => void>();
  /** For each caller, the number of calls that wait for the record. */
  const waiters = new Map<string, number>();
  /** Batches that wait for the caller's previous batch. */
  const waiting = new Map<string, Batch>();
  /** Batches that are not stored yet, by their caller. */
  const unstored = new Map<string, Set<Batch>>();
  /** Callers with an item that could not be recorded. Everything that they send needs approval. */
  const incomplete = new Set<string>();
  /** Callers that had items at their last check. Their next text will probably be compared too. */
  const hasRead = new Set<string>();
  /**
   * Texts that may be sent because the caller has no items of other origin. They contain no part of one, so they are
   * not recorded.
   */
  const harmless = new Set<string>();

  /** Runs the work of one caller in order, so that entries have the order of the results. */
  function later(principal: string, work: () => Promise<void>): void {
    const before = underWay.get(principal) ?? Promise.resolve();
    const next = before
      .then(() => gathered(principal))
      .then(work)
      .catch((cause: unknown) => {
        incomplete.add(principal);
        log.warn("recording the items that a caller received failed", { cause });
      })
      .finally(() => {
        if (underWay.get(principal) === next) underWay.delete(principal);
      });
    underWay.set(principal, next);
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

  /** Waits until all earlier items of the caller are recorded. */
  async function recorded(principal: string): Promise<void> {
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
  function nextBatch(principal: string): Batch {
    const known = waiting.get(principal);
    if (known !== undefined) return known;
    const batch: Batch = { given: [], sent: [] };
    waiting.set(principal, batch);
    const batches = unstored.get(principal) ?? new Set();
    unstored.set(principal, batches.add(batch));
    later(principal, async () => {
      waiting.delete(principal);
      try {
        await store(principal, batch);
      } finally {
        batches.delete(batch);
      }
    });
    return batch;
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
    // Both begin at once, so that they share a disk sync.
    const [entries] = await Promise.all([
      stored.length === 0 ? [] : ledger.add(principal, stored),
      sent.length === 0 ? undefined : ledger.addSent(principal, sent),
    ]);
    callers.add(principal, entries, made);
  }

  const idle = async (): Promise<void> =>
    void (await Promise.all([...underWay.keys()].map(recorded)));

  return {
    nameOf,

    given: (principal, contents) => {
      if (contents.length > 0) nextBatch(principal).given.push(...contents);
    },

    examine: async ({ principal, destination, text, setting, gaveItself = none }) => {
      const leaving = keyOf({ principal, destination, text });
      harmless.delete(leaving);
      if (setting === "off") return undefined;
      // If all items came from the destination, the text may be sent back there without comparing or waiting.
      const mayReturn = setting === "ask-if-private" && gaveItself !== none;
      const recording = underWay.get(principal);
      const isOwn =
        recording !== undefined &&
        mayReturn &&
        every(unstored.get(principal) ?? [], ({ given }) => given.every(gaveItself));
      if (!isOwn) await recorded(principal);
      // The database reads while this thread reads the text.
      const opening = callers.open(principal, destination);
      const isLikely = hasRead.has(principal);
      const counting = frequenciesOf([]);
      const readings = isLikely ? readingsOf(text) : undefined;
      const [opened, { mails }] = await Promise.all([opening, counting]);
      let { contents, sent, isReadable } = opened;
      const mayLeave = (): boolean =>
        contents.isEmpty || (mayReturn && contents.everySource(gaveItself));
      if (isOwn && !mayLeave()) {
        // Earlier sent texts are compared too.
        await recorded(principal);
        ({ contents, sent, isReadable } = await callers.open(principal, destination));
      }
      if (incomplete.has(principal) || !isReadable) {
        const reason = "the content that this caller has read could not be recorded";
        return { text, matches: [], reason, sources: [] };
      }
      if (mayLeave()) {
        if (harmless.size >= mostHarmless) harmless.clear();
        harmless.add(leaving);
        return undefined;
      }
      hasRead.add(principal);
      const all = hitsIn({ text, earlier: sent }, { contents, hasher }, { mails, readings });
      const hits = all.filter(({ sources }) => sources.length === 0 || !sources.every(gaveItself));
      // The index counts a word in about as much time as the rest takes, so only words of hits are counted.
      const terms = [...new Set(hits.flatMap((hit) => hit.terms))];
      const matches = rareOf(hits, await frequenciesOf(terms), defaultRarity).slice(0, maxMatches);
      if (matches.length === 0 && setting === "ask-if-private") return undefined;
      const sources = distinct(
        matches.flatMap(({ sources: [newest] }) => (newest ? [newest] : [])),
      );
      const reason =
        matches.length === 0
          ? "private content was read before, and the policy then requires approval"
          : `the text that leaves matches private content (${sources.map(inShort).join(", ")})`;
      return { text, matches, reason, sources };
    },

    origins: async (principal, args) => {
      await recorded(principal);
      const { contents } = await callers.open(principal, "");
      return await Promise.all(
        originsOf(args, { contents, hasher }).map(
          async ({ argument, part, source }): Promise<Line> => ({
            label: `source of ${argument}`,
            value: `${shownValue(part)} ${source.writtenBy === "assistant" ? "was written by the assistant in" : "is from"} ${await nameOf(source)}`,
          }),
        ),
      );
    },

    mailsRead: async (principal) => {
      await recorded(principal);
      return await ledger.mailsRead(principal, hourMs);
    },

    sent: ({ principal, destination, text }) => {
      if (harmless.delete(keyOf({ principal, destination, text }))) return;
      const sealed = sealer.seal(Buffer.from(text.slice(-sentCharacters)));
      nextBatch(principal).sent.push({ destination, text: sealed });
    },

    idle,

    close: async () => {
      await idle();
      await maker.close();
    },
  };
}

/** Texts that were compared but not yet sent. If one is dropped from this set, it is recorded when it is sent. */
const mostHarmless = 200;

function keyOf({ principal, destination, text }: Parameters<InformationFlow["sent"]>[0]): string {
  return JSON.stringify([principal, destination, text]);
}

const none = (): boolean => false;

function every<Item>(items: Iterable<Item>, test: (item: Item) => boolean): boolean {
  for (const item of items) if (!test(item)) return false;
  return true;
}

/** Returns the items without those that a later item with the same text replaces. */
function newestOfEach(contents: readonly GivenContent[]): readonly GivenContent[] {
  const keyOf = ({ kind, id, texts }: GivenContent): string => JSON.stringify([kind, id, texts]);
  const newest = new Map(contents.map((content) => [keyOf(content), content]));
  return contents.filter((content) => newest.get(keyOf(content)) === content);
}

function distinct(sources: readonly GivenSource[]): GivenSource[] {
  return [...new Map(sources.map((source) => [inShort(source), source])).values()];
}
