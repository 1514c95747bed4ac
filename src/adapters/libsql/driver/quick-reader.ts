import { toDriver, prepare } from "./file-connection.ts";
import { openHandle } from "./libsql-driver.ts";
import type { Rows, Statement } from "./statement.ts";

/** Reads a few rows immediately, on the thread that calls it. */
export interface QuickReader {
  /** @throws if the file is locked. It never waits */
  read(statement: Statement): Rows;
  close(): void;
}

/**
 * Opens a second connection to a database file in write-ahead mode, where a reader waits for no writer. A message to
 * the other thread and back takes longer than such a read.
 */
export function openQuickReader(path: string): QuickReader {
  const handle = openHandle(path, 0);
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  try {
    handle.exec("PRAGMA query_only = ON");
  } catch (thrown) {
    handle.close();
    throw thrown;
  }
  return {
    read: ({ sql, args }) => {
      const statement = prepared.get(sql) ?? prepare(handle, sql, { isOftenEmpty: true });
      prepared.set(sql, statement);
      return statement.run(args.map(toDriver));
    },
    close: () => {
      prepared.clear();
      handle.close();
    },
  };
}
