import { createHash } from "node:crypto";
import type { Database } from "../driver/database.ts";
import type { Row, SqlValue } from "../driver/statement.ts";

/** Rows per request. A server limits the size of a response. */
const rowsPerPage = 100;
/** A table with whole messages, each of up to INGEST_MAX_BYTES. */
const ofMessages = "mail_inbox";

interface Column {
  name: string;
  /** Read and written as text, because numbers of the full-text index exceed 2^53. */
  isInteger: boolean;
}

/** A table that a copy contains: those of the migrations and those in which the full-text index stores its words. */
export interface StoredTable {
  name: string;
  columns: readonly Column[];
  /** The columns that identify a row, in the order of the primary key. */
  key: readonly Column[];
}

export interface TableDigest {
  rows: number;
  sha256: string;
}

/**
 * Lists the tables of a database. Leases belong to running processes, and migrations to the database itself. The table
 * of sequences comes last, because inserts change it.
 */
export async function storedTables(database: Database): Promise<readonly StoredTable[]> {
  const { rows } = await database.read({
    sql: `SELECT m.name AS name, m.sql AS sql, c.name AS col, c.type AS type, c.pk AS pk
      FROM sqlite_schema m, pragma_table_info(m.name) c
      WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND m.name NOT LIKE 'sqlite_stat%'
        AND m.name NOT IN ('migrations', 'leases')
      ORDER BY m.name = 'sqlite_sequence', m.name, c.cid`,
    args: [],
  });
  const names = new Set(rows.map(({ name }) => String(name)));
  return [...names].map((name) =>
    tableOf(
      name,
      rows.filter((row) => row["name"] === name),
    ),
  );
}

function tableOf(name: string, rows: readonly Row[]): StoredTable {
  const columns = rows.map(asColumn);
  const primary = rows.filter(({ pk }) => Number(pk) > 0);
  const inOrder = primary.toSorted((a, b) => Number(a["pk"]) - Number(b["pk"])).map(asColumn);
  const [first] = inOrder;
  const isRowid = inOrder.length === 1 && first?.isInteger === true;
  if (isRowid || /WITHOUT ROWID/i.test(String(rows[0]?.["sql"])))
    return { name, columns, key: inOrder };
  const rowid = { name: "rowid", isInteger: true };
  return { name, columns: [rowid, ...columns], key: [rowid] };
}

const asColumn = ({ col, type }: Row): Column => ({
  name: String(col),
  isInteger: String(type).toLowerCase() === "integer",
});

/** Counts the rows of every table in one statement. */
export async function countRows(
  database: Database,
  tables: readonly StoredTable[],
): Promise<ReadonlyMap<string, number>> {
  const counts = tables.map(({ name }) => `SELECT '${name}' AS name, count(*) AS n FROM "${name}"`);
  const { rows } = await database.read({ sql: counts.join(" UNION ALL "), args: [] });
  return new Map(rows.map(({ name, n }) => [String(name), Number(n)]));
}

/** Returns whether a database has only the data that its migrations create. */
export async function isEmptyDatabase(database: Database): Promise<boolean> {
  const tables = await storedTables(database);
  // The full-text indexes always have some rows.
  const counts = await countRows(
    database,
    tables.filter(({ name }) => !/^(?:mail|file)_words_/.test(name)),
  );
  return [...counts.values()].every((rows) => rows === 0);
}

/**
 * Copies the rows of a table to the same table elsewhere, page by page. Equal pages are not written, so a repeat
 * continues an interrupted copy.
 * @returns the rows that were written
 */
export async function copyTable(
  table: StoredTable,
  from: Database,
  to: Database,
): Promise<{ written: number }> {
  let written = 0;
  for await (const { after, last, rows } of pagesOf(table, from)) {
    const range = rangeOf(table, after, last);
    const there = await to.read({
      sql: `${select(table)} ${range.sql} ORDER BY ${keyOf(table)} LIMIT ?`,
      args: [...range.args, rows.length + 1],
    });
    if (digestOf(table, there.rows) === digestOf(table, rows)) continue;
    const names = table.columns.map(({ name }) => `"${name}"`).join(", ");
    const values = table.columns.map(placeholder).join(", ");
    await to.write([
      { sql: `DELETE FROM "${table.name}" ${range.sql}`, args: range.args },
      ...rows.map((row) => ({
        sql: `INSERT OR REPLACE INTO "${table.name}" (${names}) VALUES (${values})`,
        args: valuesOf(table, row),
      })),
    ]);
    written += rows.length;
  }
  return { written };
}

/** Counts and hashes all rows of a table. Two databases with the same rows give the same digest. */
export async function digestTable(table: StoredTable, database: Database): Promise<TableDigest> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const { rows } of pagesOf(table, database)) {
    for (const row of rows) addRow(hash, table, row);
    count += rows.length;
  }
  return { rows: count, sha256: hash.digest("hex") };
}

interface Page {
  rows: readonly Row[];
  /** The keys before the page and at its end. Undefined at the start and the end of the table. */
  after: readonly SqlValue[] | undefined;
  last: readonly SqlValue[] | undefined;
}

async function* pagesOf(table: StoredTable, database: Database): AsyncGenerator<Page> {
  const most = table.name === ofMessages ? 1 : rowsPerPage;
  let after: readonly SqlValue[] | undefined;
  do {
    const range = rangeOf(table, after, undefined);
    const { rows } = await database.read({
      sql: `${select(table)} ${range.sql} ORDER BY ${keyOf(table)} LIMIT ?`,
      args: [...range.args, most],
    });
    const end = rows.at(-1);
    const last: readonly SqlValue[] | undefined =
      end === undefined || rows.length < most
        ? undefined
        : table.key.map(({ name }) => end[name] ?? null);
    yield { rows, after, last };
    after = last;
  } while (after !== undefined);
}

function select({ name, columns }: StoredTable): string {
  const values = columns.map((column) =>
    column.isInteger ? `cast("${column.name}" AS text) AS "${column.name}"` : `"${column.name}"`,
  );
  return `SELECT ${values.join(", ")} FROM "${name}"`;
}

/** Returns the condition for rows after one key and up to another. */
function rangeOf(
  table: StoredTable,
  after: readonly SqlValue[] | undefined,
  last: readonly SqlValue[] | undefined,
): { sql: string; args: SqlValue[] } {
  const key = `(${keyOf(table)})`;
  const given = `(${table.key.map(placeholder).join(", ")})`;
  const conditions = [
    ...(after === undefined ? [] : [`${key} > ${given}`]),
    ...(last === undefined ? [] : [`${key} <= ${given}`]),
  ];
  const sql = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  return { sql, args: [...(after ?? []), ...(last ?? [])] };
}

/** Names the table with each column, because the selected texts have the same names. */
const keyOf = ({ name: table, key }: StoredTable): string =>
  key.map(({ name }) => `"${table}"."${name}"`).join(", ");

const placeholder = ({ isInteger }: Column): string => (isInteger ? "cast(? AS integer)" : "?");

const valuesOf = ({ columns }: StoredTable, row: Row): SqlValue[] =>
  columns.map(({ name }) => row[name] ?? null);

function digestOf(table: StoredTable, rows: readonly Row[]): string {
  const hash = createHash("sha256");
  for (const row of rows) addRow(hash, table, row);
  return hash.digest("hex");
}

function addRow(hash: ReturnType<typeof createHash>, table: StoredTable, row: Row): void {
  for (const value of valuesOf(table, row)) {
    const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value));
    const type = value === null ? "null" : typeof value;
    hash.update(`${type} ${bytes.byteLength} `).update(bytes);
  }
}
