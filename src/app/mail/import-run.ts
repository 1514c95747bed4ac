import { setTimeout as pause } from "node:timers/promises";
import { enoughTogether } from "../../ingest/pipeline/new-mail-slots.ts";
import {
  bytesOf,
  type FoundMail,
  foundMail,
  type Imported,
  importMail,
} from "../../intake/import.ts";
import type { Ingest } from "../compose/open/open-ingest.ts";
import { createMailStates } from "./mail-states.ts";

/** Interval between checks for searchable messages. Milliseconds. */
const lookEveryMs = 50;

/**
 * Messages accepted but not yet indexed. The bound makes progress visible during a large import. It allows for three
 * full batches, so that the parser always has one ready.
 */
const mostAhead = 3 * enoughTogether;

/** Bytes accepted but not yet indexed. A larger message is indexed before the next one starts. */
const mostBytesAhead = 8_000_000;

/** How long one message may take while its steps fail, for example on a full disk. Milliseconds. */
const mostTroubleMs = 60_000;

/** The outcome of one message. A stored message is searchable. */
export interface ImportedLine {
  path: string;
  emailId?: string;
  status: "stored" | "duplicate" | "failed";
  reason?: string;
}

export interface ImportSettings {
  ingest: Pick<Ingest, "keep" | "store" | "trouble">;
  maxBytes: number;
  /** Called with each outcome in the order of the messages, and the bytes of the message in its file. */
  report: (line: ImportedLine, bytes: number) => void;
  /** Called for a path without mail. */
  reportEmpty: (path: string) => void;
  isStopped: () => boolean;
}

/**
 * Imports the messages at these paths, several at a time. Ends early if it is stopped, or if the steps of a message
 * fail for too long.
 * @returns the number of messages that are stored and not searchable yet
 */
export async function runImport(
  paths: readonly string[],
  settings: ImportSettings,
): Promise<number> {
  const ahead = createMessagesAhead(settings);
  for (const path of paths) {
    let count = 0;
    for await (const found of foundMail([path], settings.maxBytes)) {
      if (ahead.shouldEnd()) break;
      count += 1;
      await ahead.add(found);
    }
    if (count === 0 && !ahead.shouldEnd()) settings.reportEmpty(path);
  }
  return await ahead.finish();
}

/** Creates the bounded list of messages that are accepted but not yet indexed. Outcomes are reported in its order. */
function createMessagesAhead({ ingest, maxBytes, report, isStopped }: ImportSettings) {
  const started: { imported: Promise<Imported>; bytes: number }[] = [];
  const states = createMailStates(ingest.store);
  let bytesAhead = 0;
  let unfinished = 0;
  const shouldEnd = (): boolean => isStopped() || unfinished > 0;

  /** Resolves with the outcome of a message. Undefined if its steps fail for too long, or if the import should end. */
  async function outcomeOf({ status, ...imported }: Imported): Promise<ImportedLine | undefined> {
    if (imported.emailId === undefined) return { ...imported, status: "failed" };
    const begun = performance.now();
    for (;;) {
      const ended = await states.outcomeOf(imported.emailId);
      if (ended?.state === "searchable") return { ...imported, status };
      if (ended?.state === "failed")
        return { ...imported, status: "failed", reason: ended.reason ?? "no reason was recorded" };
      const isLate = performance.now() - begun > mostTroubleMs;
      if (ingest.trouble() !== undefined && (isLate || shouldEnd())) return undefined;
      await pause(lookEveryMs);
    }
  }

  async function finishFirst(): Promise<void> {
    const first = started.shift();
    if (first === undefined) return;
    const line = await outcomeOf(await first.imported);
    if (line === undefined) unfinished += 1;
    else report(line, first.bytes);
    bytesAhead -= first.bytes;
  }

  return {
    shouldEnd,
    /** Accepts a message, and waits while too many are ahead. */
    add: async (found: FoundMail): Promise<void> => {
      const bytes = bytesOf(found);
      bytesAhead += bytes;
      const imported = importMail(found, bytes, { maxBytes, keep: ingest.keep });
      void imported.then(({ emailId }) => emailId !== undefined && states.add(emailId));
      started.push({ imported, bytes });
      while (started.length > mostAhead || bytesAhead > mostBytesAhead) await finishFirst();
    },
    /** Resolves when every message has an outcome, with the number of messages without one. */
    finish: async (): Promise<number> => {
      while (started.length > 0) await finishFirst();
      return unfinished;
    },
  };
}
