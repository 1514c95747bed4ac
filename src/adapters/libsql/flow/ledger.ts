import {
  type Ledger,
  type LedgerEntry,
  type Source,
  type SourceKind,
  type Writer,
  ledgerBytes,
} from "../../../core/flow/ledger.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import type { Row, Statement } from "../driver/statement.ts";
import { damaged, storedInteger, storedText, storedTime } from "../driver/stored-values.ts";
import { sha256Hex } from "../../../core/shared/digest.ts";

const markBytes = 6;

/** Texts that are remembered for each caller and destination. */
const sentTexts = 8;
/** The end of a longer text is stored, because the next part continues it. Characters. */
const sentCharacters = 600;

/** Creates the ledger in libSQL. @param options.lastsMs how long an entry counts */
export function createLedger(database: Database, { lastsMs }: { lastsMs: number }): Ledger {
  const purge: Statement[] = ["flow_given", "flow_sent"].map((table) => ({
    sql: `DELETE FROM ${table} WHERE at < ${now} - ?`,
    args: [lastsMs],
  }));

  return {
    add: async (principal, contents) => {
      await database.write([
        ...purge,
        ...contents.map(({ source, marks }) => insert(principal, source, packed(marks))),
        {
          sql: `DELETE FROM flow_given WHERE principal = ?1 AND seq <= (SELECT seq FROM
              (SELECT seq, sum(bytes) OVER (ORDER BY seq DESC) AS total FROM flow_given WHERE principal = ?1)
            WHERE total > ${ledgerBytes} ORDER BY seq DESC LIMIT 1)`,
          args: [principal],
        },
      ]);
    },

    read: async (principal, { seq, destination }) => {
      const [given, sent] = await Promise.all([
        database.read({
          sql: `SELECT seq, kind, source_id, written_by, verified, marks, at, ${now} AS now
            FROM flow_given WHERE principal = ? AND seq > ? AND at >= ${now} - ? ORDER BY seq`,
          args: [principal, seq, lastsMs],
        }),
        database.read({
          sql: `SELECT text, ${now} AS now FROM flow_sent
            WHERE principal = ? AND destination = ? AND at >= ${now} - ? ORDER BY seq DESC LIMIT ${sentTexts}`,
          args: [principal, destination, lastsMs],
        }),
      ]);
      return {
        entries: given.rows.map(toEntry),
        sent: sent.rows.map((row) => storedText(row["text"])).toReversed(),
        now: new Date(),
      };
    },

    addSent: async (principal, destination, text) => {
      await database.write([
        {
          sql: `INSERT INTO flow_sent (principal, destination, text, at) VALUES (?, ?, ?, ${now})`,
          args: [principal, destination, text.slice(-sentCharacters)],
        },
        {
          sql: `DELETE FROM flow_sent WHERE principal = ?1 AND destination = ?2 AND seq NOT IN
            (SELECT seq FROM flow_sent WHERE principal = ?1 AND destination = ?2 ORDER BY seq DESC LIMIT ${sentTexts})`,
          args: [principal, destination],
        },
      ]);
    },

    frequencies: async (words) => {
      const { rows } = await database.read({
        sql: `SELECT term, doc, 0 AS mails FROM mail_vocab WHERE term IN (SELECT value FROM json_each(?))
          UNION ALL SELECT '', 0, (SELECT count(*) FROM mail WHERE search_id IS NOT NULL)`,
        args: [JSON.stringify(words)],
      });
      const counts = new Map(
        rows.map((row) => [storedText(row["term"]), storedInteger(row["doc"])]),
      );
      return {
        mails: Math.max(0, ...rows.map((row) => storedInteger(row["mails"]))),
        of: (word) => counts.get(word) ?? 0,
      };
    },
  };
}

function insert(principal: string, source: Source, marks: Uint8Array): Statement {
  const { kind, id, writtenBy, verified } = source;
  return {
    sql: `INSERT OR REPLACE INTO flow_given (principal, kind, source_id, written_by, verified, digest, marks, bytes, at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${now})`,
    args: [
      principal,
      kind,
      id,
      writtenBy,
      verified ? 1 : 0,
      sha256Hex(marks).slice(0, 32),
      marks,
      marks.length,
    ],
  };
}

function packed(marks: ReadonlySet<number>): Uint8Array {
  const bytes = Buffer.alloc(marks.size * markBytes);
  // Sorted, so that the same content has the same digest.
  for (const [index, mark] of [...marks].toSorted((a, b) => a - b).entries()) {
    bytes.writeUIntBE(mark, index * markBytes, markBytes);
  }
  return bytes;
}

function toEntry(row: Row): LedgerEntry {
  return {
    seq: storedInteger(row["seq"]),
    kind: oneOf(kinds, row["kind"]),
    id: storedText(row["source_id"]),
    writtenBy: oneOf(writers, row["written_by"]),
    verified: row["verified"] === 1,
    at: storedTime(row["at"]),
    marks: unpacked(row["marks"]),
  };
}

function unpacked(stored: unknown): ReadonlySet<number> {
  if (!(stored instanceof Uint8Array)) throw damaged("marks");
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const marks = new Set<number>();
  for (let at = 0; at + markBytes <= bytes.length; at += markBytes) {
    marks.add(bytes.readUIntBE(at, markBytes));
  }
  return marks;
}

const kinds: readonly SourceKind[] = ["mail", "attachment", "file", "event", "web", "upstream"];
const writers: readonly Writer[] = ["owner", "other", "assistant", "unknown"];

function oneOf<T extends string>(known: readonly T[], stored: unknown): T {
  const found = known.find((each) => each === stored);
  if (found === undefined) throw damaged("source");
  return found;
}
