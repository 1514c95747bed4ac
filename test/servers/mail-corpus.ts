import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Expected {
  file: string;
  subject?: string;
  from?: string;
  /** Seconds since 1970. */
  date?: number;
  attachments?: number;
  /** How the text begins, white space collapsed. */
  text?: string;
}

const folder =
  process.env["MAIL_CORPUS"] ??
  fileURLToPath(new URL("../../../shared/mail-corpus", import.meta.url));

/**
 * Real and malformed messages with the results on which two independent parsers agree. `MAIL_CORPUS` names the
 * directory: `mail/` with the messages and `EXPECTED.jsonl`. Without it, its tests are skipped with a notice.
 */
export const mailCorpus = existsSync(join(folder, "EXPECTED.jsonl")) ? open() : undefined;

if (mailCorpus === undefined) {
  console.warn(`No mail corpus at ${folder}: its tests are skipped. Set MAIL_CORPUS to run them.`);
}

function open() {
  const lines = readFileSync(join(folder, "EXPECTED.jsonl"), "utf8").trim().split("\n");
  return {
    folder: join(folder, "mail"),
    files: readdirSync(join(folder, "mail")).toSorted(),
    expected: lines.map((line) => JSON.parse(line) as Expected),
    read: (file: string): Uint8Array => readFileSync(join(folder, "mail", file)),
  };
}
