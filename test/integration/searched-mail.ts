import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type Database,
  mainMigrations,
  openDatabase,
} from "../../src/adapters/libsql/driver/database.ts";
import { createMailStore } from "../../src/adapters/libsql/mail/mail-store.ts";
import { sha256Hex } from "../../src/core/shared/digest.ts";
import type { MailPerson } from "../../src/ports/mail/mail-reader.ts";
import type { NextState } from "../../src/ports/mail/mail-store.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { makeDirectory } from "../fakes/temporary-directory.ts";

/** A message as a search knows it. */
export interface SearchedMail {
  subject: string;
  body: string;
  from: MailPerson;
  to: readonly MailPerson[];
  cc: readonly MailPerson[];
  date: Date;
  hasAttachment: boolean;
  /** A summary by a model. An extract has no words of its own, so it is not in the index. */
  summary?: string;
  /** Names of files that came with it, beside `hasAttachment`: they belong to its look. */
  files?: readonly string[];
}

export interface SearchedMailbox {
  database: Database;
  /** Enters messages as ingestion does after parsing. Resolves with their ids when they can be found. */
  add(mails: readonly SearchedMail[]): Promise<string[]>;
  /**
   * Adds a message that has arrived and cannot be found yet. Resolves with a function that indexes it or gives it
   * another state.
   */
  arrive(mail: SearchedMail): Promise<(instead?: NextState) => Promise<string>>;
  /** Returns the messages at these places in the index, in this order, with one read. */
  emailIdsOf(searchIds: readonly number[]): Promise<string[]>;
  /** Removes the directory as well. */
  close(): Promise<void>;
}

export function openSearchedMailbox(directory = makeDirectory()): SearchedMailbox {
  const url = pathToFileURL(join(directory.path, "countersign.db")).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  const store = createMailStore(database, { hasFarObjects: true });
  let count = 0;

  async function arrive({ body, hasAttachment, summary, files = [], ...mail }: SearchedMail) {
    const sha256 = sha256Hex(Buffer.from(String((count += 1))));
    const emailId = `em_${sha256.slice(0, 26)}`;
    const { claimed } = await store.admit(
      { emailId, rawSha256: sha256, bytes: 1, firstStep: "parse" },
      { intake: "import", rawSha256: sha256, bytes: 1 },
      { leaseMs: 60_000 },
    );
    if (claimed === undefined) throw new Error(`${emailId} was not new`);
    const attachment = { attachmentId: "at_x", mediaType: "a/b", bytes: 1, sha256, inline: false };
    return async (instead?: NextState) => {
      if (instead !== undefined) {
        await store.advance(claimed, { next: instead });
        return emailId;
      }
      await store.advance(claimed, {
        facts: {
          ...mail,
          from: { ...mail.from, source: "header" },
          text: { sha256, bytes: Buffer.byteLength(body) },
          attachments: [
            ...(hasAttachment ? [attachment] : []),
            ...files.map((name, at) => ({
              ...attachment,
              attachmentId: `at_${at}`,
              name,
              inline: true,
            })),
          ],
        },
        summary: { text: summary ?? "", source: summary === undefined ? "extract" : "model" },
        searchable: { body },
        next: { kind: "finish" },
      });
      return emailId;
    };
  }

  return {
    database,
    add: (mails) => Promise.all(mails.map(async (mail) => (await arrive(mail))())),
    arrive,
    emailIdsOf: async (searchIds) => {
      const { rows } = await database.read({
        sql: `SELECT email_id FROM json_each(?) AS asked LEFT JOIN mail ON search_id = asked.value
          ORDER BY asked.key`,
        args: [JSON.stringify(searchIds)],
      });
      return rows.map((row) => String(row["email_id"]));
    },
    close: async () => {
      await database.close();
      directory.remove();
    },
  };
}

/** Numbers that look random and are the same in every run (Numerical Recipes' generator). */
export function dice(seed: number): (sides: number) => number {
  let state = seed >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}
