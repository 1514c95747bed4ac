import { resolve } from "node:path";
import { visible } from "../../core/shared/text/visible.ts";
import { bytesAmong } from "../../intake/import.ts";
import { type Counts, progressOn } from "../mail/import-progress.ts";
import { type ImportedLine, runImport } from "../mail/import-run.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { defineCommand, form } from "../command-line/define-command.ts";
import { envFile, flag, oneOrMore } from "../command-line/options.ts";
import { createLog } from "../platform/log.ts";
import { openIngest } from "../compose/open/open-ingest.ts";
import { loadSettings } from "../platform/settings.ts";
import { stopSignal } from "../platform/stop-signal.ts";

export const command = defineCommand({
  about:
    "Imports messages from .eml files, mbox files, Maildirs and directories of them. The command ends when the messages are searchable.",
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

async function importPaths(
  given: readonly string[],
  options: { json: boolean; envFile: string | undefined },
): Promise<number> {
  const config = loadSettings({ envFile: options.envFile });
  const ingest = openIngest(config, createLog(config.logLevel), { isBulk: true });
  const paths = given.map((path) => resolve(path));
  const ended = new AbortController();
  const printer = createPrinter(options, () => bytesAmong(paths, ended.signal));
  let isStopped = false;
  void stopSignal().then(() => (isStopped = true));
  let unfinished = 0;
  let trouble: string | undefined;
  try {
    // A database that cannot be opened would fail each message with the same reason.
    await ingest.stores.database.read({ sql: "SELECT 1", args: [] });
    if (config.s3 === undefined) await ingest.stores.objects.check().catch(refuseUnusable);
    unfinished = await runImport(paths, {
      ingest,
      maxBytes: config.ingest.maxBytes,
      report: printer.line,
      reportEmpty: (path) => printer.problem(`${visible(path)}: ${noMail}`),
      isStopped: () => isStopped,
    });
    trouble = ingest.trouble();
  } finally {
    ended.abort();
    printer.clear();
    await ingest.close();
  }
  printer.summary();
  if (unfinished > 0) {
    const count = unfinished === 1 ? "1 message is" : `${unfinished} messages are`;
    console.error(
      `${count} stored and not searchable yet: ${trouble ?? "a step was interrupted."} The next import continues with them. Run the same command again.`,
    );
  } else if (isStopped) {
    console.error(
      "Stopped before the end. Run the same command again for the rest; stored messages are not imported twice.",
    );
  }
  if (isStopped) return 130;
  return unfinished > 0 || printer.counts.failed > 0 ? 1 : 0;
}

/** Creates the printer of outcomes: JSON lines, or progress, problems and a summary for a person. */
function createPrinter({ json }: { json: boolean }, totalBytes: () => Promise<number>) {
  const counts: Counts = { stored: 0, duplicate: 0, failed: 0 };
  const progress = progressOn(json ? { write: () => undefined } : process.stderr, totalBytes);
  const problem = (text: string): void => {
    progress.clear();
    console.error(text);
  };
  return {
    counts,
    problem,
    clear: () => progress.clear(),
    line: (line: ImportedLine, bytes: number): void => {
      counts[line.status] += 1;
      if (json) console.log(JSON.stringify(line));
      else if (line.status === "failed")
        problem(`${visible(line.path)}: ${visible(line.reason ?? "failed")}`);
      progress.advance(bytes, counts);
    },
    summary: (): void => {
      if (json) return;
      const { stored, duplicate, failed } = counts;
      console.log(`${stored} stored, ${duplicate} duplicates, ${failed} failed.`);
    },
  };
}

/** Refuses a file of objects that no retry mends. On a full disk, messages are stored and processed later. */
function refuseUnusable(error: unknown): void {
  if (error instanceof ToolError && error.kind === "not_configured") throw error;
}
