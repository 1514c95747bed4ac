import { createHasher } from "../../src/core/flow/hasher.ts";
import { createInformationFlow } from "../../src/core/flow/flow.ts";
import { hashesOf } from "../../src/core/flow/mark-hashes.ts";
import { marksOf } from "../../src/core/flow/content-marks.ts";
import type { Ledger, LedgerEntry } from "../../src/core/flow/ledger.ts";
import { createSealer, packMarks } from "../../src/core/flow/packed-marks.ts";
import type { MarksMaker } from "../../src/core/flow/marks-maker.ts";
import type { RecordingMarks } from "../../src/core/flow/recording-marks.ts";
import { quietLog } from "./quiet-log.ts";

const key = Buffer.alloc(32, 7);

const hasher = createHasher(key);
/** A mark that nothing reads. */
export const noMark = { add: () => true, end: () => undefined, remove: () => undefined };

/** Makes fingerprints on this thread. */
const maker: MarksMaker = {
  make: async (texts) =>
    texts.map(({ text, topic }) => {
      const marks = marksOf({ text, topic }, hasher);
      return { marks, ...packMarks(marks, createSealer(key)), hashes: hashesOf(marks) };
    }),
  close: async () => {},
};

/** Creates a record over a ledger that waits for the test, with the ids after which the ledger was read. */
export function flowWith({
  isStored = async () => {},
  isRead = async () => {},
  isAnswered = async () => {},
  left = () => {},
  marks = { begin: () => noMark, othersLeft: async () => [] },
  mailsWith = 0,
}: {
  isStored?: () => Promise<void>;
  /** Ends the write, whose entries reads find before. */
  isAnswered?: () => Promise<void>;
  marks?: RecordingMarks;
  /** The mails of the index that contain any word, of 200. */
  mailsWith?: number;
  isRead?: () => Promise<void>;
  left?: (count: number) => void;
} = {}) {
  const entries: LedgerEntry[] = [];
  const readFrom: number[] = [];
  let sent = 0;
  const ledger: Ledger = {
    add: async (_principal, contents) => {
      await isStored();
      const added = contents.map(({ source, digest, marks }, index) => ({
        ...source,
        digest,
        marks,
        seq: entries.length + index + 1,
        at: new Date(),
      }));
      entries.push(...added);
      await isAnswered();
      return added;
    },
    read: async (_principal, { given }) => {
      readFrom.push(given);
      // The rows that are stored when the statement begins.
      const found = entries.filter(({ seq }) => seq > given);
      await isRead();
      return { entries: found, sent: [] };
    },
    oldest: async () => entries[0]?.seq,
    addSent: async (_principal, texts) => {
      left(texts.length);
      sent += texts.length;
      return texts.map((_text, at) => ({ seq: at + 1, before: sent }));
    },
    mailsRead: async () => [],
    frequencies: async () => ({ mails: mailsWith === 0 ? 0 : 200, of: () => mailsWith }),
  };
  return { flow: flowOver(ledger, marks), readFrom };
}

/** Returns the stored marks of a text with this number of words. */
export function marksOfWords(count: number): Uint8Array {
  const [none, tokens] = [new Uint32Array(), new Uint32Array(count)];
  const marks = { tokens, topics: none, codes: new Uint8Array(), pairs: new Uint16Array() };
  return packMarks(marks, createSealer(key)).packed;
}

/** Creates the record of one process over a ledger. */
export function flowOver(
  ledger: Ledger,
  marks: RecordingMarks = { begin: () => noMark, othersLeft: async () => [] },
) {
  const nameOf = async (): Promise<string> => "";
  return createInformationFlow({ ledger, key, maker, marks, nameOf, log: quietLog });
}

/** Creates the check for a caller that received these mails. @param mailsWith the mails of the index with any word */
export async function examineAfter(mails: readonly string[], mailsWith = 1) {
  const { flow } = flowWith({ mailsWith });
  const source = { kind: "mail", writtenBy: "other", verified: false } as const;
  await flow.given(
    "local",
    mails.map((text, at) => ({ ...source, id: `em_${at}`, texts: [text] })),
  );
  return (text: string) =>
    flow.examine({ principal: "local", destination: "notes", text, setting: "ask-if-private" });
}
