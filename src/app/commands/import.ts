import { setTimeout as pause } from "node:timers/promises";
import { resolve } from "node:path";
import { visible } from "../../core/shared/text/visible.ts";
import { enoughTogether } from "../../ingest/pipeline/new-mail.ts";
import { bytesAmong, bytesOf, foundMail, type Imported, importMail } from "../../intake/import.ts";
import { progressOn } from "../mail/import-progress.ts";
import { createMailStates, type MailStates } from "../mail/mail-states.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { defineCommand, form } from "../command-line/define-command.ts";
import { envFile, flag, oneOrMore } from "../command-line/options.ts";
import { createLog } from "../platform/log.ts";
import { type Ingest, openIngest } from "../compose/open/open-ingest.ts";
import { loadSettings } from "../platform/settings.ts";
import { stopSignal } from "../platform/stop-signal.ts";

export const command = defineCommand({
  about:
    "Imports messages from .eml files, mbox files, Maildirs and directories of them. It ends when they are searchable.",
  exitCodes: {
    0: "every message is stored",
    1: "a message failed, or is not searchable yet",
    130: "stopped by Ctrl-C",
  },
  forms: [
    form({
      arguments: { paths: oneOrMore("PATH") },
      options: {
        json: flag("print one line per message: {path, emailId, status, reason?}"),
        envFile,
      },
      run: (options, { paths }) => importPaths(paths, options),
    }),
  ],
});

const noMail =
  "it contains no mail. Only .eml files, .mbox files and Maildirs are found in a directory; name other files one by one.";

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

interface Line {
  path: string;
  emailId?: string;
  status: "stored" | "duplicate" | "failed";
  reason?: string;
}

async function importPaths(
  given: readonly string[],
  options: { json: boolean; envFile: string | undefined },
): Promise<number> {
  const config = loadSettings({ envFile: options.envFile });
  const ingest = openIngest(config, createLog(config.logLevel), { isBulk: true });
  const counts = { stored: 0, duplicate: 0, failed: 0 };
  const paths = given.map((path) => resolve(path));
  const ended = new AbortController();
  const progress = progressOn(
    options.json ? { write: () => undefined } : process.stderr,
    async () => await bytesAmong(paths, ended.signal),
  );
  /** Prints the outcome of one message and the share of its file. */
  const report = (line: Line, bytes: number): void => {
    counts[line.status] += 1;
    if (options.json) console.log(JSON.stringify(line));
    else if (line.status === "failed") {
      progress.clear();
      console.error(`${visible(line.path)}: ${visible(line.reason ?? "failed")}`);
    }
    progress.advance(bytes, counts);
  };
  let isStopped = false;
  /** Messages that are stored, but whose steps fail. */
  let waiting = 0;
  let trouble: string | undefined;
  void stopSignal().then(() => (isStopped = true));
  try {
    // A database that cannot be opened would fail each message with the same reason.
    await ingest.stores.database.read({ sql: "SELECT 1", args: [] });
    if (config.s3 === undefined) await ingest.stores.objects.check().catch(refuseUnusable);
    const started: { imported: Promise<Imported>; bytes: number }[] = [];
    const states = createMailStates(ingest.store);
    let bytesAhead = 0;
    const reportFirst = async (): Promise<void> => {
      const first = started.shift();
      if (first === undefined) return;
      const { imported, bytes } = first;
      const line = await whenFindable(
        await imported,
        states,
        () => ingest.trouble(),
        () => isStopped || waiting > 0,
      );
      if (line === undefined) waiting += 1;
      else report(line, bytes);
      bytesAhead -= bytes;
    };
    const settings = { maxBytes: config.ingest.maxBytes, keep: ingest.keep };
    for (const path of paths) {
      const before = counts.stored + counts.duplicate + counts.failed + started.length;
      for await (const found of foundMail([path], settings.maxBytes)) {
        if (isStopped || waiting > 0) break;
        const bytes = bytesOf(found);
        bytesAhead += bytes;
        const imported = importMail(found, bytes, settings);
        void imported.then(({ emailId }) => emailId !== undefined && states.add(emailId));
        started.push({ imported, bytes });
        while (started.length > mostAhead || bytesAhead > mostBytesAhead) await reportFirst();
      }
      const after = counts.stored + counts.duplicate + counts.failed + started.length;
      if (after === before && !isStopped && waiting === 0) {
        progress.clear();
        console.error(`${visible(path)}: ${noMail}`);
      }
    }
    while (started.length > 0) await reportFirst();
    trouble = ingest.trouble();
  } finally {
    ended.abort();
    progress.clear();
    await ingest.close();
  }
  if (!options.json) {
    console.log(
      `${counts.stored} stored, ${counts.duplicate} duplicates, ${counts.failed} failed.`,
    );
  }
  if (waiting > 0) {
    const count = waiting === 1 ? "1 message is" : `${waiting} messages are`;
    console.error(
      `${count} stored and not searchable yet: ${trouble ?? "a step was interrupted."} The next import continues with them. Run the same command again.`,
    );
  } else if (isStopped) {
    console.error(
      "Stopped before the end. Run the same command again for the rest; stored messages are not imported twice.",
    );
  }
  if (isStopped) return 130;
  return waiting > 0 || counts.failed > 0 ? 1 : 0;
}

/** Refuses a file of objects that no retry mends. On a full disk, messages are stored and processed later. */
function refuseUnusable(error: unknown): void {
  if (error instanceof ToolError && error.kind === "not_configured") throw error;
}

/** Resolves with the outcome of a message. Undefined if its steps fail for too long, or if the import should end. */
async function whenFindable(
  { status, ...imported }: Imported,
  states: MailStates,
  trouble: Ingest["trouble"],
  shouldEnd: () => boolean,
): Promise<Line | undefined> {
  if (imported.emailId === undefined) return { ...imported, status: "failed" };
  const begun = performance.now();
  for (;;) {
    const ended = await states.outcomeOf(imported.emailId);
    if (ended?.state === "searchable")
      return { ...imported, status: status === "kept" ? "stored" : "duplicate" };
    if (ended?.state === "failed")
      return { ...imported, status: "failed", reason: ended.reason ?? "no reason was recorded" };
    const isLate = performance.now() - begun > mostTroubleMs;
    if (trouble() !== undefined && (isLate || shouldEnd())) return undefined;
    await pause(lookEveryMs);
  }
}
