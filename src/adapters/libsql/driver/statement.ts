/**
 * A value in a statement. Integers are limited to 2^53. NUL in a text is replaced by U+FFFD, because the driver would
 * cut the text there.
 */
export type SqlValue = null | string | number | Uint8Array;

/** Each `?` in the SQL is replaced by one argument, in order. */
export interface Statement {
  sql: string;
  args: readonly SqlValue[];
}

export type Row = Readonly<Record<string, SqlValue>>;

export interface Rows {
  rows: readonly Row[];
  /** For a statement with RETURNING: how many rows it returned. */
  rowsAffected: number;
}
