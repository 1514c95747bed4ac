import { onceInATurn } from "../../../core/shared/once-in-a-turn.ts";
import type { Database } from "../driver/database.ts";
import { storedInteger, storedText } from "../driver/stored-values.ts";

/** Digests in memory. If there are more, those that are still stored are read again. */
const mostDigests = 20_000;

/**
 * Creates the function that returns whether a request with this digest may be stored. Most calls have none. Reading the
 * few new digests takes a fraction of the time of a search for identical requests.
 */
export function createStoredDigests(database: Database): (digest: string) => Promise<boolean> {
  const digests = new Set<string>();
  let newest = 0;

  const readNew = onceInATurn(async (): Promise<void> => {
    if (digests.size > mostDigests) {
      digests.clear();
      newest = 0;
    }
    // A number is never used again, and requests become visible in the order of their numbers.
    const { rows } = await database.read(
      { sql: "SELECT seq, digest FROM tickets WHERE seq > ? ORDER BY seq", args: [newest] },
      { quick: ["tickets"] },
    );
    for (const row of rows) {
      newest = Math.max(newest, storedInteger(row["seq"]));
      digests.add(storedText(row["digest"]));
    }
  });

  return async (digest) => {
    await readNew();
    return digests.has(digest);
  };
}
