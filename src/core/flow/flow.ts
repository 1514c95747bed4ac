import type { Log } from "../shared/log.ts";
import { createCallerLedgers } from "./caller-ledgers.ts";
import { hitsIn, rareOf } from "./compare.ts";
import { marksOf } from "./content-marks.ts";
import { createFingerprints } from "./fingerprint.ts";
import type { Match } from "./hit.ts";
import type { GivenContent, GivenSource, Ledger, Source } from "./ledger.ts";
import { defaultRarity } from "./rarity.ts";
import type { FlowSetting } from "./setting.ts";

/** A call that would send text to a third party. */
export interface Sending {
  principal: string;
  destination: string;
  text: string;
  setting: FlowSetting;
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
  sent(sending: Omit<Sending, "setting">): void;
  /** Names a content for a person. */
  readonly nameOf: (source: GivenSource) => Promise<string>;
  /** Resolves when everything is stored. */
  idle(): Promise<void>;
}

/** Matches in one approval request. A longer list is hard to read. */
const maxMatches = 12;

/** Creates the record. @param key the key of the installation, for the fingerprints */
export function createInformationFlow({
  ledger,
  key,
  lastsMs,
  nameOf,
  log,
}: {
  ledger: Ledger;
  key: Uint8Array;
  lastsMs: number;
  nameOf: (source: GivenSource) => Promise<string>;
  log: Log;
}): InformationFlow {
  const fingerprints = createFingerprints(key);
  const callers = createCallerLedgers(ledger, { fingerprints, lastsMs });
  const underWay = new Map<string, Promise<void>>();
  /** Callers with a content that could not be recorded. Everything that they send needs approval. */
  const incomplete = new Set<string>();

  /** Runs the work of one caller in order, so that entries have the order of the results. */
  function later(principal: string, work: () => Promise<void>): void {
    const before = underWay.get(principal) ?? Promise.resolve();
    const next = before
      .then(() => new Promise<void>((resolve) => setImmediate(resolve)))
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

  return {
    nameOf,

    given: (principal, contents) => {
      if (contents.length === 0) return;
      later(principal, () =>
        ledger.add(
          principal,
          contents.map(({ texts, ...source }) => ({
            source,
            marks: marksOf(texts.join("\n\n"), fingerprints),
          })),
        ),
      );
    },

    examine: async ({ principal, destination, text, setting }) => {
      if (setting === "off") return undefined;
      await underWay.get(principal);
      const { view, sent } = await callers.open(principal, destination);
      if (incomplete.has(principal)) {
        const reason = "what this caller has read could not be recorded";
        return { text, matches: [], reason, sources: [] };
      }
      if (view.isEmpty) return undefined;
      const hits = hitsIn({ text, earlier: sent }, view);
      const matches =
        hits.length === 0
          ? []
          : rareOf(
              hits,
              await ledger.frequencies([...new Set(hits.flatMap(({ terms }) => terms))]),
              defaultRarity,
            ).slice(0, maxMatches);
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

    sent: ({ principal, destination, text }) => {
      later(principal, () => ledger.addSent(principal, destination, text));
    },

    idle: async () => void (await Promise.all(underWay.values())),
  };
}

function distinct(sources: readonly GivenSource[]): GivenSource[] {
  return [...new Map(sources.map((source) => [inShort(source), source])).values()];
}

/** Formats a source, such as `mail em_a2b3`. */
export function inShort({ kind, id }: Pick<Source, "kind" | "id">): string {
  return `${kind} ${id}`;
}
