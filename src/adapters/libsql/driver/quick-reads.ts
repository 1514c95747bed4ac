import type { QuickReader } from "./quick-reader.ts";
import type { Rows, Statement } from "./statement.ts";

/** Quick reads are left to the database's thread after so many failures to read here. */
const mostFailures = 3;

/** Reads a few rows of a database file on the calling thread, while the database's thread has it open. */
export interface QuickReads {
  /** Returns whether `read` may be used. If not, begins to open the file when that is allowed. */
  isReady(): boolean;
  /** Returns the rows. Undefined if the database's thread has to read them. */
  read(statement: Statement): Rows | undefined;
  /** True after the thread has created and migrated the file. False after a failure, which closes the file here. */
  allow(isAllowed: boolean): void;
  /** Closes the file for good. */
  close(): void;
}

/** Creates the quick reads of a file. The code is loaded when it is first used, because a start needs none of it. */
export function createQuickReads(path: string): QuickReads {
  let reader: QuickReader | undefined;
  let isOpening = false;
  let isAllowed = false;
  let isClosed = false;
  let failures = 0;

  function closeReader(): void {
    reader?.close();
    reader = undefined;
  }

  async function open(): Promise<void> {
    isOpening = true;
    try {
      const { openQuickReader } = await import("./quick-reader.ts");
      if (isAllowed && !isClosed) reader = openQuickReader(path);
    } catch {
      failures += 1;
    } finally {
      isOpening = false;
    }
  }

  return {
    isReady: () => {
      if (!isAllowed || isClosed || failures >= mostFailures) return false;
      if (reader === undefined && !isOpening) void open();
      return reader !== undefined;
    },
    read: (statement) => {
      try {
        return reader?.read(statement);
      } catch {
        failures += 1;
        closeReader();
        return undefined;
      }
    },
    allow: (allowed) => {
      isAllowed = allowed;
      if (!allowed) closeReader();
    },
    close: () => {
      isClosed = true;
      closeReader();
    },
  };
}
