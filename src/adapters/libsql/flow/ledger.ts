import { mostEarlierTexts } from "../../../core/flow/pieces/sent-in-pieces.ts";
import {
  type Ledger,
  type LedgerContent,
  type LedgerEntry,
  type SourceKind,
  type Writer,
  ledgerBytes,
} from "../../../core/flow/ledger.ts";
import { mostOriginIds } from "../../../ports/files/objects.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import type { Row, Statement } from "../driver/statement.ts";
import {
  storedBytes,
  storedInteger,
  storedOneOf,
  storedText,
  storedTime,
} from "../driver/stored-values.ts";

/**
 * Bytes of one caller's entries after a removal of the oldest, and bytes that one process may add before the next
 * removal. A removal reads the sizes of all entries.
 */
const keptBytes = 0.96 * ledgerBytes;
const addedBytes = 0.02 * ledgerBytes;

/** How often old entries are deleted. Milliseconds. */
const purgeEveryMs = 60_000;

/**
 * Limits on the words, and on the mails of the index, for which words are counted on this thread. Of 2 000 mails, a word that all
 * have takes a tenth of a millisecond, which is less than a message to the other thread.
 */
const mostQuick = { words: 8, mails: 4_000 };

/** Sent texts that are kept for each caller and destination. */
const sentTexts = mostEarlierTexts;

/** Creates the ledger in libSQL. @param options.lastsMs how long an entry counts */
export function createLedger(database: Database, { lastsMs }: { lastsMs: number }): Ledger {
  const purge: Statement[] = ["flow_given", "flow_sent"].map((table) => ({
    sql: `DELETE FROM ${table} WHERE at < ${now} - ?`,
    args: [lastsMs],
  }));

  let purgedAt = -Infinity;

  /** Returns true once a minute. Expired entries are not read, even if they have not been deleted yet. */
  function isPurgeDue(): boolean {
    const time = performance.now();
    if (time - purgedAt < purgeEveryMs) return false;
    purgedAt = time;
    return true;
  }

  /** The number of mails at the last count. */
  let lastMails = Number.POSITIVE_INFINITY;

  /** Bytes that this process may add before the oldest entries of the caller are removed. */
  const room = new Map<string, number>();

  return {
    add: async (principal, contents) => {
      const bytes = contents.reduce((sum, { marks }) => sum + marks.length, 0);
      const left = (room.get(principal) ?? 0) - bytes;
      room.set(principal, left < 0 ? addedBytes : left);
      const purges = isPurgeDue() ? purge : [];
      const stored = await database.write([
        ...purges,
        insert(principal, contents),
        ...(left < 0 ? removal.map((sql) => ({ sql, args: [principal] })) : []),
      ]);
      // Rows get their numbers in the order of the list, but may be returned in another one.
      const rows = (stored[purges.length]?.rows ?? [])
        .map((row) => ({ seq: storedInteger(row["seq"]), at: storedTime(row["at"]) }))
        .toSorted((one, other) => one.seq - other.seq);
      return contents.map(({ source, digest, marks }, index) => {
        const row = rows[index];
        if (row === undefined) throw new TypeError("An item was not stored.");
        return { ...source, digest, marks, ...row };
      });
    },

    read: async (principal, { given, sent, destination }) => {
      const statement: Statement = {
        sql: `SELECT 0 AS part, seq, kind, source_id, written_by, verified, digest, marks, at FROM flow_given
            WHERE principal = ?1 AND seq > ?2 AND at >= ${now} - ?5
          UNION ALL SELECT 1, seq, '', '', '', 0, '', text, at FROM flow_sent
            WHERE principal = ?1 AND destination = ?4 AND seq > ?3 AND at >= ${now} - ?5
          ORDER BY part, seq`,
        args: [principal, given, sent, destination, lastsMs],
      };
      // Callers know what this process has not stored yet.
      const { rows } = await database.read(statement, { quick: [] });
      const part = (number: number): readonly Row[] => rows.filter((row) => row["part"] === number);
      return {
        entries: part(0).map(toEntry),
        sent: part(1).map((row) => ({
          seq: storedInteger(row["seq"]),
          text: storedBytes(row["marks"]),
        })),
      };
    },

    oldest: async (principal) => {
      const statement: Statement = {
        sql: `SELECT seq FROM flow_given WHERE principal = ? AND at >= ${now} - ? ORDER BY seq LIMIT 1`,
        args: [principal, lastsMs],
      };
      const [row] = (await database.read(statement, { quick: [] })).rows;
      return row && storedInteger(row["seq"]);
    },

    addSent: async (principal, texts) => {
      const destinations = [...new Set(texts.map(({ destination }) => destination))];
      const stored = await database.write([
        ...texts.map(({ destination, text }) => ({
          sql: `INSERT INTO flow_sent (principal, destination, text, at) VALUES (?1, ?2, ?3, ${now})
            RETURNING seq, (SELECT coalesce(max(earlier.seq), 0) FROM flow_sent AS earlier
              WHERE principal = ?1 AND destination = ?2 AND earlier.seq < flow_sent.seq) AS before`,
          args: [principal, destination, text],
        })),
        ...destinations.map((destination) => ({
          sql: `DELETE FROM flow_sent WHERE principal = ?1 AND destination = ?2 AND seq NOT IN
            (SELECT seq FROM flow_sent WHERE principal = ?1 AND destination = ?2 ORDER BY seq DESC LIMIT ${sentTexts})`,
          args: [principal, destination],
        })),
      ]);
      return texts.map((_text, index) => {
        const row = stored[index]?.rows[0];
        if (row === undefined) throw new TypeError("A sent text was not stored.");
        return { seq: storedInteger(row["seq"]), before: storedInteger(row["before"]) };
      });
    },

    mailsRead: async (principal, withinMs) => {
      const { rows } = await database.read({
        // The id of an attachment begins with that of its mail.
        sql: `SELECT substr(source_id, 1, instr(source_id || ' ', ' ') - 1) AS email_id FROM flow_given
          WHERE principal = ? AND kind IN ('mail', 'attachment') AND at >= ${now} - ?
          GROUP BY email_id ORDER BY max(seq) DESC LIMIT ${mostOriginIds}`,
        args: [principal, withinMs],
      });
      return rows.map((row) => storedText(row["email_id"]));
    },

    frequencies: async (words) => {
      const isQuick = words.length <= mostQuick.words && lastMails <= mostQuick.mails;
      const statement: Statement = {
        // One statement, so that the mails are not fewer than those that have a word.
        sql: `SELECT term, doc, 0 AS mails FROM mail_vocab WHERE term IN (SELECT value FROM json_each(?))
          UNION ALL SELECT '', 0, (SELECT count(*) FROM mail WHERE search_id IS NOT NULL)`,
        args: [JSON.stringify(words)],
      };
      const { rows } = await database.read(statement, isQuick ? { quick: ["mail"] } : {});
      const counts = new Map(
        rows.map((row) => [storedText(row["term"]), storedInteger(row["doc"])]),
      );
      lastMails = Math.max(0, ...rows.map((row) => storedInteger(row["mails"])));
      return { mails: lastMails, of: (word) => counts.get(word) ?? 0 };
    },
  };
}

/** The newest entry of a caller that is beyond the limit, or no row. */
const newestBeyond = `SELECT seq FROM
    (SELECT seq, sum(bytes) OVER (ORDER BY seq DESC) AS total FROM flow_given WHERE principal = ?1)
  WHERE total > ${keptBytes} ORDER BY seq DESC LIMIT 1`;

/**
 * Removes the oldest entries of a caller. Entries without marks take their place, so that every process knows that it
 * cannot compare all content. There is one for each upstream tool, because its server may get its own content back, and
 * one for all other items.
 */
const removal = [
  `INSERT OR REPLACE INTO flow_given (principal, kind, source_id, written_by, verified, digest, marks, bytes, at)
    SELECT ?1, iif(kind = 'upstream', kind, 'file'), iif(kind = 'upstream', source_id, ''), 'unknown', 0, '', x'', 0,
      max(at) FROM flow_given WHERE principal = ?1 AND seq <= (${newestBeyond}) GROUP BY 2, 3`,
  `DELETE FROM flow_given WHERE principal = ?1 AND seq <= (${newestBeyond})`,
];

/**
 * Builds one statement for any number of items. A statement for each would take most of the time of a write. The marks
 * of all items are one value, because JSON contains no bytes.
 */
function insert(principal: string, contents: readonly LedgerContent[]): Statement {
  let start = 1;
  const items = contents.map(({ source, digest, marks }) => {
    const { kind, id, writtenBy, verified } = source;
    const item = [kind, storable(id), writtenBy, verified ? 1 : 0, digest, start, marks.length];
    start += marks.length;
    return item;
  });
  return {
    sql: `WITH list (e) AS MATERIALIZED (SELECT value FROM json_each(?2))
      INSERT OR REPLACE INTO flow_given (principal, kind, source_id, written_by, verified, digest, marks, bytes, at)
      SELECT ?1, e->>'$[0]', e->>'$[1]', e->>'$[2]', e->>'$[3]', e->>'$[4]',
        substr(?3, e->>'$[5]', e->>'$[6]'), e->>'$[6]', ${now} FROM list
      RETURNING seq, at`,
    args: [principal, JSON.stringify(items), Buffer.concat(contents.map(({ marks }) => marks))],
  };
}

/** Replaces what the database's JSON functions cannot return: half of a character, and NUL. */
function storable(id: string): string {
  return id.toWellFormed().replaceAll("\0", "\u{FFFD}");
}

function toEntry(row: Row): LedgerEntry {
  return {
    seq: storedInteger(row["seq"]),
    kind: storedOneOf(kinds, row["kind"]),
    id: storedText(row["source_id"]),
    writtenBy: storedOneOf(writers, row["written_by"]),
    verified: row["verified"] === 1,
    at: storedTime(row["at"]),
    digest: storedText(row["digest"]),
    marks: storedBytes(row["marks"]),
  };
}

const kinds: readonly SourceKind[] = [
  "mail",
  "attachment",
  "file",
  "event",
  "reminder",
  "web",
  "upstream",
];
const writers: readonly Writer[] = ["owner", "other", "assistant", "unknown"];
