import { promisify } from "node:util";
import { deflateRaw, inflateRawSync } from "node:zlib";
import type { FileHit } from "../../../ports/files/file-index.ts";
import type { ObjectFacts } from "../../../ports/files/objects.ts";
import type { Database } from "../driver/database.ts";
import type { Row, SqlValue, Statement } from "../driver/statement.ts";
import { storedInteger, storedText } from "../driver/stored-values.ts";
import { fileWords } from "./file-words.ts";
import { clausesOf, type Expression, termsOf } from "./search-expression.ts";
import type { SqlFragment } from "./search-filter.ts";
import { readQuery } from "./search-query.ts";
import { ftsExpression, searchable } from "./search-text.ts";
import { type HitPattern, hitPatterns, snippetOf } from "./snippet.ts";

const deflate = promisify(deflateRaw);

/** Characters of a text that are stored for snippets. A later hit has none. */
const leadCharacters = 100_000;
/** Folded characters that the snippets of one page may take. */
const snippetWork = 2_500_000;

/** Creates the index of files in libSQL, next to the index of mail. */
export function createFileRows(database: Database, clock: () => Date = () => new Date()) {
  const forget = (key: string): Statement[] => [
    {
      sql: "DELETE FROM file_words WHERE rowid = (SELECT search_id FROM indexed_files WHERE key = ?)",
      args: [key],
    },
    { sql: "DELETE FROM indexed_files WHERE key = ?", args: [key] },
  ];

  return {
    /** Returns the indexed version of each file. */
    versions: async (): Promise<Map<string, string>> => {
      const { rows } = await database.read({
        sql: "SELECT key, etag FROM indexed_files",
        args: [],
      });
      return new Map(rows.map((row) => [storedText(row["key"]), storedText(row["etag"])]));
    },

    remove: async (keys: readonly string[]): Promise<void> => {
      if (keys.length > 0) await database.write(keys.flatMap(forget));
    },

    /** Replaces a file in the index. `text` is undefined if none could be read. */
    put: async (file: ObjectFacts, text: string | undefined): Promise<void> => {
      const { key, etag, bytes, mediaType, modifiedAt } = file;
      const words = await Promise.all([key, text ?? ""].map(searchable));
      const lead = text === undefined ? null : await deflate(text.slice(0, leadCharacters));
      const folded = fileWords({ name: key, mediaType });
      await database.write([
        ...forget(key),
        {
          sql: "INSERT INTO indexed_files (key, etag, folded, bytes, modified_at, lead) VALUES (?, ?, ?, ?, ?, ?)",
          args: [key, etag, folded, bytes, modifiedAt.getTime(), lead],
        },
        {
          sql: "INSERT INTO file_words (rowid, subject, body) SELECT search_id, ?, ? FROM indexed_files WHERE key = ?",
          args: [...words, key],
        },
      ]);
    },

    search: async ({ query, limit, offset }: { query: string; limit: number; offset: number }) => {
      const { expression, notices } = readQuery(query, clock());
      const unfit = new Set<string>();
      const condition = expression && conditionOf(expression, unfit);
      const terms = termsOf(clausesOf(expression));
      const words = terms.flatMap((term) => {
        const each = ftsExpression({ kind: "words", isNot: false, term });
        return each === undefined ? [] : [each];
      });
      const isVain = query.trim() !== "" && expression === undefined && notices.length === 0;
      const scored: SqlFragment =
        words.length === 0
          ? { sql: "SELECT NULL AS id, NULL AS score", args: [] }
          : {
              sql: "SELECT rowid AS id, bm25(file_words, 1.0, 4.0) AS score FROM file_words WHERE file_words MATCH ?",
              args: [words.join(" OR ")],
            };
      const { rows } = await database.read({
        sql: `SELECT key, bytes, modified_at, lead, count(*) OVER () AS total FROM indexed_files
          LEFT JOIN (${scored.sql}) ON id = search_id WHERE ${isVain ? "false" : (condition?.sql ?? "true")}
          ORDER BY coalesce(score, 0), modified_at DESC, key LIMIT ? OFFSET ?`,
        args: [...scored.args, ...(isVain ? [] : (condition?.args ?? [])), limit, offset],
      });
      const patterns = hitPatterns(terms);
      const hits: FileHit[] = [];
      const work = { left: snippetWork };
      for (const row of rows) hits.push(await hitOf(row, patterns, work));
      const said = [...unfit].map((field) => `"${field}:" does not apply to files.`);
      return {
        hits,
        total: rows[0] === undefined ? 0 : storedInteger(rows[0]["total"]),
        notices: [...notices, ...said],
      };
    },
  };
}

/** Builds the condition on a row. A property that only mail has is met by no file, and is added to `unfit`. */
function conditionOf(expression: Expression, unfit: Set<string>): SqlFragment {
  if ("of" in expression) {
    const parts = expression.of.map((one) => conditionOf(one, unfit));
    const joint = expression.kind === "all" ? " AND " : " OR ";
    return {
      sql: `(${parts.map(({ sql }) => sql).join(joint)})`,
      args: parts.flatMap(({ args }) => args),
    };
  }
  const { isNot } = expression;
  const trait = (sql: string, ...args: SqlValue[]): SqlFragment => ({
    sql: isNot ? `NOT (${sql})` : sql,
    args,
  });
  switch (expression.kind) {
    case "words": {
      const words = ftsExpression({ ...expression, isNot: false });
      if (words === undefined) return trait("false");
      return trait("search_id IN (SELECT rowid FROM file_words WHERE file_words MATCH ?)", words);
    }
    case "file":
      return trait("instr(folded, ?) > 0", expression.wanted);
    case "since":
      return trait("modified_at >= ?", expression.date.getTime());
    case "from":
    case "to":
      unfit.add(expression.kind);
      return trait("false");
    case "attachment":
      unfit.add("has");
      return trait("false");
  }
}

async function hitOf(
  row: Row,
  patterns: readonly HitPattern[],
  work: { left: number },
): Promise<FileHit> {
  const { lead } = row;
  const text =
    patterns.length > 0 && lead instanceof Uint8Array
      ? inflateRawSync(lead).toString("utf-8")
      : undefined;
  return {
    key: storedText(row["key"]),
    bytes: storedInteger(row["bytes"]),
    modifiedAt: new Date(storedInteger(row["modified_at"])),
    snippet:
      text === undefined || patterns.length === 0
        ? undefined
        : await snippetOf(text, patterns, work),
  };
}
