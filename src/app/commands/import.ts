import { setTimeout as pause } from "node:timers/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { visible } from "../../core/approvals/effect.ts";
import { enoughTogether } from "../../ingest/pipeline/runner.ts";
import { bytesAmong, bytesOf, foundMail, type Imported, importMail } from "../../intake/import.ts";
import type { MailStore } from "../../ports/mail/mail-store.ts";
import { progressOn } from "../jobs/import-progress.ts";
import { createLog } from "../platform/log.ts";
import { openIngest } from "../compose/open-ingest.ts";
import { loadSettings } from "../platform/settings.ts";
import { stopSignal } from "../platform/stop-signal.ts";

export const usage = `Usage: countersign import PATH... [--json] [--env-file PATH]

Takes in messages from .eml files, mbox files, Maildirs and directories of them, and returns when they can be found.

  --json           one line a message: {path, emailId, status, reason?}
  --env-file PATH  read the settings from this file instead of .env in the data directory`;

const noMail =
  "there is no mail in it. Taken are .eml and .mbox files and Maildirs; name other files one by one.";

/** How often the store is asked whether a message can be found yet. Milliseconds. */
const lookEveryMs = 50;

/**
 * Messages kept ahead of those that can be found: bounded, so that a large import is told as it goes, and enough that while
 * some are read the next of them need not wait for company.
 */
const mostAhead = 3 * enoughTogether;

/** All that is ahead, in bytes; a larger message is waited for before the next is begun. */
const mostBytesAhead = 8_000_000;

interface Line {
  path: string;
  emailId?: string;
  status: "stored" | "duplicate" | "failed";
  reason?: string;
}

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      "env-file": { type: "string" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help || positionals.length === 0) {
    (values.help ? console.log : console.error)(usage);
    return values.help ? 0 : 2;
  }
  const config = loadSettings({ envFile: values["env-file"] });
  const ingest = openIngest(config, createLog(config.logLevel));
  const counts = { stored: 0, duplicate: 0, failed: 0 };
  const paths = positionals.map((given) => resolve(given));
  const over = new AbortController();
  const progress = progressOn(
    values.json ? { write: () => undefined } : process.stderr,
    async () => await bytesAmong(paths, over.signal),
  );
  /** What became of one message, and how much of its file that was. */
  const tell = (line: Line, bytes: number): void => {
    counts[line.status] += 1;
    if (values.json) console.log(JSON.stringify(line));
    else if (line.status === "failed") {
      progress.clear();
      console.error(`${visible(line.path)}: ${visible(line.reason ?? "failed")}`);
    }
    progress.advance(bytes, counts);
  };
  let isStopped = false;
  void stopSignal().then(() => (isStopped = true));
  try {
    const started: { imported: Promise<Imported>; bytes: number }[] = [];
    let bytesAhead = 0;
    // Of the others nobody asks: each look takes what is being written away from its company.
    const tellFirst = async (): Promise<void> => {
      const first = started.shift();
      if (first === undefined) return;
      const { imported, bytes } = first;
      tell(await whenFindable(await imported, ingest.store), bytes);
      bytesAhead -= bytes;
    };
    const settings = { maxBytes: config.ingest.maxBytes, keep: ingest.keep };
    for (const path of paths) {
      const before = counts.stored + counts.duplicate + counts.failed + started.length;
      for await (const found of foundMail([path], settings.maxBytes)) {
        if (isStopped) break;
        const bytes = await bytesOf(found);
        bytesAhead += bytes;
        started.push({ imported: importMail(found, settings), bytes });
        while (started.length > mostAhead || bytesAhead > mostBytesAhead) await tellFirst();
      }
      const after = counts.stored + counts.duplicate + counts.failed + started.length;
      if (after === before && !isStopped) {
        progress.clear();
        console.error(`${visible(path)}: ${noMail}`);
      }
    }
    while (started.length > 0) await tellFirst();
  } finally {
    over.abort();
    progress.clear();
    await ingest.close();
  }
  if (!values.json) {
    console.log(
      `${counts.stored} stored, ${counts.duplicate} there already, ${counts.failed} failed.`,
    );
  }
  if (isStopped) {
    console.error(
      "Stopped before the end. Import the same again for the rest: what is there already is not doubled.",
    );
    return 130;
  }
  return counts.failed === 0 ? 0 : 1;
}

async function whenFindable({ status, ...imported }: Imported, store: MailStore): Promise<Line> {
  if (imported.emailId === undefined) return { ...imported, status: "failed" };
  for (;;) {
    const found = await store.state(imported.emailId);
    if (found?.state === "searchable")
      return { ...imported, status: status === "kept" ? "stored" : "duplicate" };
    if (found?.state === "failed")
      return { ...imported, status: "failed", reason: found.reason ?? "not told" };
    await pause(lookEveryMs);
  }
}
