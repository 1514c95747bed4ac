import type { Log } from "../shared/log.ts";
import { onceInATurn } from "../shared/once-in-a-turn.ts";
import { type Gap, createCallerLedgers } from "./caller-ledgers.ts";
import { mostEarlierTexts } from "./pieces/sent-in-pieces.ts";
import { createHasher } from "./hasher.ts";
import { createLeavingTexts } from "./leaving-texts.ts";
import type { Hit } from "./hit.ts";
import {
  type GivenContent,
  type GivenSource,
  type Ledger,
  type Source,
  inShort,
  sentCharacters,
} from "./ledger.ts";
import { shownValue } from "../shared/text/visible.ts";
import type { Line } from "../tool/tool.ts";
import type { MarksMaker } from "./marks-maker.ts";
import { originsOf } from "./origins.ts";
import type { OutgoingArguments } from "./pieces/argument-lines.ts";
import { createRecorder } from "./recorder.ts";
import type { RecordingMarks } from "./recording-marks.ts";
import { createSealer } from "./packed-marks.ts";
import { rareMatches, readingsAhead } from "./rare-matches.ts";
import type { FlowSetting } from "./setting.ts";
import { createWordFrequencies } from "./reading/word-frequencies.ts";

/** A call that would send text to a third party. */
export interface Sending {
  principal: string;
  destination: string;
  text: string;
  /** The short arguments of the call in rows. */
  rows?: OutgoingArguments["rows"];
  setting: FlowSetting;
  /** Returns whether an item came from the destination. A text that matches only such items may be sent back there. */
  gaveItself?: ((source: Pick<Source, "kind" | "id">) => boolean) | undefined;
}

/** Why a person must approve a text before it is sent. */
export interface FlowFinding {
  text: string;
  matches: readonly Hit[];
  /** Our own words, without any of the text. */
  reason: string;
  /** The items that match, each once. Some of their matches may not be in `matches`. */
  sources: readonly GivenSource[];
  /** True if the text may match further items. A person then approves only this text. */
  hasMore?: boolean;
}

/** The record of the private items that callers received, and the check of outgoing text. */
export interface InformationFlow {
  /**
   * Records the items in a result. The caller's next check waits for the record, in each process. If a promise is
   * returned, the result waits for it. It rejects if the result must not be returned.
   */
  given(principal: string, contents: readonly GivenContent[]): Promise<void> | undefined;
  /** Returns why a person must be asked before this text is sent. Undefined if it may be sent. */
  examine(sending: Sending): Promise<FlowFinding | undefined>;
  /** Records a sent text. If a promise is returned, the result waits for it. */
  sent(sending: Pick<Sending, "principal" | "destination" | "text">): Promise<void> | undefined;
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

/**
 * Creates the record.
 * @param settings.key the key of the installation, for the fingerprints
 * @param settings.marks undefined if the processes of a caller share no file system. Results then wait for the record
 */
export function createInformationFlow({
  ledger,
  key,
  maker,
  marks,
  nameOf,
  log,
}: {
  ledger: Ledger;
  key: Uint8Array;
  maker: MarksMaker;
  marks: RecordingMarks | undefined;
  nameOf: (source: GivenSource) => Promise<string>;
  log: Log;
}): InformationFlow {
  const hasher = createHasher(key);
  const sealer = createSealer(key);
  const callers = createCallerLedgers(ledger, { sealer, mostEarlierTexts });
  const frequenciesOf = createWordFrequencies(ledger, () => performance.now());
  const recorder = createRecorder({ ledger, callers, maker, marks, sealer, log });
  /** Callers that had items at their last check. Their next text will probably be compared too. */
  const hasRead = new Set<string>();
  /**
   * Texts that may be sent, because all items of the caller came from their destination. They contain no part of an
   * item of another origin, so they are not recorded.
   */
  const harmless = new Set<string>();
  const leavingTexts = createLeavingTexts();

  /** Waits for all earlier items, also of other processes. Returns false if one of those is not recorded. */
  async function recordedByAll(principal: string): Promise<boolean> {
    const others = othersRecorded(principal);
    await recorder.recorded(principal);
    return await others;
  }

  /** Waits for the items of other processes, and records those of a process that was killed. */
  const othersRecorded = onceInATurn(async (principal: string): Promise<boolean> => {
    const left = (await marks?.othersLeft(principal)) ?? [];
    return left.length === 0 || (await recorder.finish(principal, left));
  });

  /**
   * Returns why a person must be asked before a text is sent.
   * @param before texts of simultaneous calls, which are not recorded yet
   */
  async function compared(
    { principal, destination, text, rows, setting, gaveItself = none }: Sending,
    before: readonly string[],
  ): Promise<FlowFinding | undefined> {
    const leaving = keyOf({ principal, destination, text });
    harmless.delete(leaving);
    if (setting === "off") return undefined;
    // If all items came from the destination, the text may be sent back there without comparing or waiting.
    const mayReturn = setting === "ask-if-private" && gaveItself !== none;
    const isOwn = mayReturn && recorder.isPending(principal, gaveItself);
    const ended = isOwn ? await othersRecorded(principal) : await recordedByAll(principal);
    // The database reads while this thread reads the text.
    const opening = callers.open(principal, destination);
    const isLikely = hasRead.has(principal);
    const counting = frequenciesOf([]);
    const readings = isLikely ? readingsAhead(text) : undefined;
    const [opened, { mails }] = await Promise.all([opening, counting]);
    let { contents, sent, gaps } = opened;
    const mayLeave = (): boolean =>
      contents.isEmpty || (mayReturn && contents.everySource(gaveItself));
    if (isOwn && (recorder.isIncomplete(principal) || !mayLeave())) {
      // Earlier sent texts are compared too, and a record that failed meanwhile is tried again.
      await recorder.recorded(principal);
      ({ contents, sent, gaps } = await callers.open(principal, destination));
    }
    const missing = recorder.isIncomplete(principal)
      ? "unreadable"
      : whyIncomplete(gaps, mayReturn ? gaveItself : none);
    if (missing !== undefined || !ended) {
      const reason = ended
        ? incompleteWords[missing ?? "unreadable"]
        : "content that another process returned to this caller has not been recorded";
      return { text, matches: [], reason, sources: [] };
    }
    if (mayLeave()) {
      if (harmless.size >= mostHarmless) harmless.clear();
      harmless.add(leaving);
      leavingTexts.remove({ principal, destination, text });
      return undefined;
    }
    hasRead.add(principal);
    const found = await rareMatches(
      { text, earlier: [...sent, ...before.filter((each) => !sent.includes(each))] },
      { contents, hasher },
      {
        mails,
        readings,
        rows,
        frequenciesOf,
        isForeign: (from) => from.length === 0 || !from.every(gaveItself),
        most: maxMatches,
      },
    );
    if (found === undefined) {
      const reason =
        "the outgoing text is too long or encoded in too many ways to be compared with private content";
      return { text, matches: [], reason, sources: [] };
    }
    const { matches, sources, hasMore } = found;
    if (matches.length === 0 && setting === "ask-if-private") return undefined;
    const reason =
      matches.length === 0
        ? "private content was read before, and the policy then requires approval"
        : `the outgoing text matches private content (${sources.slice(0, maxMatches).map(inShort).join(", ")})`;
    return { text, matches, reason, sources, hasMore };
  }

  return {
    nameOf,

    given: (principal, contents) => recorder.given(principal, contents),

    examine: async (sending) => {
      const before = leavingTexts.enter(sending);
      const finding = await compared(sending, before);
      if (finding !== undefined) leavingTexts.remove(sending);
      return finding;
    },

    origins: async (principal, args) => {
      await recordedByAll(principal);
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
      await recordedByAll(principal);
      return await ledger.mailsRead(principal, hourMs);
    },

    sent: ({ principal, destination, text }) => {
      leavingTexts.remove({ principal, destination, text });
      if (harmless.delete(keyOf({ principal, destination, text }))) return undefined;
      return recorder.sent(principal, { destination, text: text.slice(-sentCharacters) });
    },

    idle: () => recorder.idle(),

    close: async () => {
      await recorder.idle();
      await maker.close();
    },
  };
}

/** Limit on texts in `harmless`. A text that is dropped from it is recorded when it is sent. */
const mostHarmless = 200;

function keyOf({ principal, destination, text }: Parameters<InformationFlow["sent"]>[0]): string {
  return JSON.stringify([principal, destination, text]);
}

const none = (): boolean => false;

const incompleteWords = {
  unreadable: "the content that this caller has read could not be recorded",
  removed: "this caller has read more private content than is compared",
} as const satisfies Record<Gap["why"], string>;

/** Returns why some content cannot be compared. Removed content of the destination itself may be sent back there. */
function whyIncomplete(
  gaps: readonly Gap[],
  gaveItself: (source: GivenSource) => boolean,
): Gap["why"] | undefined {
  return gaps.find(({ why, source }) => why === "unreadable" || !gaveItself(source))?.why;
}
