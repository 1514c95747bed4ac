import type { Log } from "../shared/log.ts";
import { createCallerLedgers } from "./caller-ledgers.ts";
import { hitsIn, rareOf } from "./compare.ts";
import { callsBack } from "./reading/fragments.ts";
import { createHasher } from "./hasher.ts";
import type { Match } from "./hit.ts";
import type { GivenContent, GivenSource, LeavingText, Ledger, Source } from "./ledger.ts";
import { shownValue } from "../shared/text/visible.ts";
import type { Line } from "../tool/tool.ts";
import type { MarksMaker } from "./marks-maker.ts";
import { originsOf } from "./origins.ts";
import { createSealer } from "./packed-marks.ts";
import { defaultRarity } from "./reading/rarity.ts";
import { normalisedText } from "./reading/normalise.ts";
import { readingsOf } from "./reading/readings.ts";
import { tokensOf } from "./reading/tokens.ts";
import type { FlowSetting } from "./setting.ts";
import { createWordFrequencies } from "./reading/word-frequencies.ts";

/** A call that would send text to a third party. */
export interface Sending {
  principal: string;
  destination: string;
  text: string;
  setting: FlowSetting;
  /** Returns whether the destination itself gave a content. A text from such contents alone may return to it. */
  gaveItself?: ((source: Pick<Source, "kind" | "id">) => boolean) | undefined;
}

/** Why a person must look at a text before it leaves. */
export interface FlowFinding {
  text: string;
  matches: readonly Match[];
  /** Our own words, without any of the text. */
  reason: string;
  /** The contents that match, each once. */
  sources: readonly GivenSource[];
}

/** The record of private contents that callers were given, and the check of text that leaves. */
export interface InformationFlow {
  /** Records what a result gave to its caller. Returns at once. The caller's next check waits for it. */
  given(principal: string, contents: readonly GivenContent[]): void;
  /** Returns why a person must be asked before this text leaves. Undefined if it may leave. */
  examine(sending: Sending): Promise<FlowFinding | undefined>;
  /** Records a text that left. Returns at once. */
  sent(sending: Pick<Sending, "principal" | "destination" | "text">): void;
  /** Returns where the arguments of a call come from, if others wrote it. One line for each argument. */
  origins(principal: string, args: Readonly<Record<string, unknown>>): Promise<readonly Line[]>;
  /** Returns the ids of the mails whose text a caller was given in the last hour, the newest first. */
  mailsRead(principal: string): Promise<readonly string[]>;
  /** Names a content for a person. */
  readonly nameOf: (source: GivenSource) => Promise<string>;
  /** Resolves when everything is stored. */
  idle(): Promise<void>;
  /** Stores everything and ends the thread. */
  close(): Promise<void>;
}

const hourMs = 3_600_000;
/** Matches in one approval request. A longer list is hard to read. */
const maxMatches = 12;
/** The part of a text whose words are counted ahead. Characters. */
const wordCharacters = 2_000;
/** The end of a longer text is stored, because the next part continues it. Characters. */
const sentCharacters = 600;

/** How long a batch waits for results of later calls, because each write costs more than a call. Milliseconds. */
const gatherMs = 5;

/** The contents and sent texts of a caller that wait for the next write. */
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
  /** Ends the wait for more of a caller's batch. */
  const gathering = new Map<string, () => void>();
  /** How many calls wait for the record of a caller. */
  const waiters = new Map<string, number>();
  /** Batches that wait for the previous one of their caller. */
  const waiting = new Map<string, Batch>();
  /** Batches that are not stored yet, by their caller. */
  const unstored = new Map<string, Set<Batch>>();
  /** Callers with a content that could not be recorded. Everything that they send needs approval. */
  const incomplete = new Set<string>();
  /** Callers that had contents at their last check. Their next text is probably compared too. */
  const hasRead = new Set<string>();
  /** Texts that may leave because no other content was given. No part of one is in them, so they are not recorded. */
  const harmless = new Set<string>();

  /** Runs the work of one caller in order, so that entries have the order of the results. */
  function later(principal: string, work: () => Promise<void>): void {
    const before = underWay.get(principal) ?? Promise.resolve();
    const next = before
      .then(() => gathered(principal))
      .then(work)
      .catch((cause: unknown) => {
        incomplete.add(principal);
        log.warn("recording of what a caller was given failed", { cause });
      })
      .finally(() => {
        if (underWay.get(principal) === next) underWay.delete(principal);
      });
    underWay.set(principal, next);
  }

  /** Waits for more of the same batch, unless a call waits for the record. */
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

  /** Waits until everything that the caller was given before is recorded. */
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

  /** Returns the batch that is stored next. Simultaneous calls of one caller share a thread's work and a write. */
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
      // A text may return to the destination that gave all contents. Then nothing is compared, and no recording awaited.
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
      const counting = isLikely ? frequenciesOf(plainWords(text)) : undefined;
      const readings = isLikely ? readingsOf(text) : undefined;
      let [{ contents, sent, isReadable }] = await Promise.all([opening, counting]);
      const mayLeave = (): boolean =>
        contents.isEmpty || (mayReturn && contents.everySource(gaveItself));
      if (isOwn && !mayLeave()) {
        // The texts that left before are compared too.
        await recorded(principal);
        ({ contents, sent, isReadable } = await callers.open(principal, destination));
      }
      if (incomplete.has(principal) || !isReadable) {
        const reason = "what this caller has read could not be recorded";
        return { text, matches: [], reason, sources: [] };
      }
      if (mayLeave()) {
        if (harmless.size >= mostHarmless) harmless.clear();
        harmless.add(leaving);
        return undefined;
      }
      hasRead.add(principal);
      const { mails } = await frequenciesOf([]);
      const all = hitsIn({ text, earlier: sent }, { contents, hasher }, { mails, readings });
      const hits = all.filter(({ sources }) => sources.length === 0 || !sources.every(gaveItself));
      const terms = [...new Set(hits.flatMap((hit) => hit.terms))];
      const matches = rareOf(hits, await frequenciesOf(terms), defaultRarity).slice(0, maxMatches);
      if (matches.length === 0 && setting === "ask-if-private") return undefined;
      const sources = distinct(
        matches.flatMap(({ sources: [newest] }) => (newest ? [newest] : [])),
      );
      const reason =
        matches.length === 0
          ? "private content was read before, and the policy asks then"
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

/** Texts that were compared and not sent yet. A text that is forgotten is recorded. */
const mostHarmless = 200;

function keyOf({ principal, destination, text }: Parameters<InformationFlow["sent"]>[0]): string {
  return JSON.stringify([principal, destination, text]);
}

const none = (): boolean => false;

function every<Item>(items: Iterable<Item>, test: (item: Item) => boolean): boolean {
  for (const item of items) if (!test(item)) return false;
  return true;
}

/** Returns the contents without those that a later content repeats and would replace. */
function newestOfEach(contents: readonly GivenContent[]): readonly GivenContent[] {
  const keyOf = ({ kind, id, texts }: GivenContent): string => JSON.stringify([kind, id, texts]);
  const newest = new Map(contents.map((content) => [keyOf(content), content]));
  return contents.filter((content) => newest.get(keyOf(content)) === content);
}

function plainWords(text: string): string[] {
  const tokens = tokensOf(normalisedText(text.slice(0, wordCharacters)));
  return [...new Set(tokens.map((token) => token.text))];
}

function distinct(sources: readonly GivenSource[]): GivenSource[] {
  return [...new Map(sources.map((source) => [inShort(source), source])).values()];
}

/** Formats a source, such as `mail em_a2b3`. */
export function inShort({ kind, id }: Pick<Source, "kind" | "id">): string {
  return `${kind} ${id}`;
}
