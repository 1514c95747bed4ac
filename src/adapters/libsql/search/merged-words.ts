import { setTimeout as sleep } from "node:timers/promises";
import { type Database } from "../driver/database.ts";

/** Pages of the index per step, which takes some milliseconds. Other writes may run between two steps. */
const pagesPerStep = 100;
/** Time between two steps in which another process gets the lock, which it requests every millisecond. Milliseconds. */
const restMs = 5;
/** A merge pauses while its process reads. Time between two checks. Milliseconds. */
const quietMs = 200;
/** Limit on pauses before one step. A merge therefore also ends in a process that always reads. */
const mostPauses = 5;
/** The index is merged if the rest is at least this share of its largest segment, so that a page is rarely rewritten. */
const leastShare = 0.125;
/** Fewest pages of the rest. A merge of fewer saves too little. */
const leastPages = 32;

const changes = { sql: "SELECT total_changes() AS changes", args: [] };

/**
 * Merges the segments of the full-text index into one. The words of deleted messages leave the file, and the index
 * becomes smaller by a twelfth. SQLite's own statement for it would block all others for seconds.
 */
export async function mergeWords(
  database: Database,
  { pause = sleep }: { pause?: (ms: number) => Promise<void> } = {},
): Promise<void> {
  const sql = "INSERT INTO mail_words (mail_words, rank) VALUES ('merge', ?)";
  let { reads } = database;
  // A negative number begins a merge of all segments. Later steps continue it, even if messages arrive in between.
  for (let pages = -pagesPerStep; ; pages = pagesPerStep) {
    const [before, , after] = await database.write([changes, { sql, args: [pages] }, changes]);
    const changed = Number(after?.rows[0]?.["changes"]) - Number(before?.rows[0]?.["changes"]);
    // A step that has nothing to merge changes at most one row.
    if (!(changed > 1)) return;
    await pause(restMs);
    // A search is several reads, and each of them would wait for a step.
    for (let pauses = 0; reads !== database.reads && pauses < mostPauses; pauses += 1) {
      reads = database.reads;
      await pause(quietMs);
    }
    reads = database.reads;
  }
}

/** Merges the segments if many messages were indexed since they were merged. */
export async function mergeManyWords(database: Database): Promise<void> {
  const { rows } = await database.read({
    sql: "SELECT count(*) AS pages FROM mail_words_idx GROUP BY segid",
    args: [],
  });
  const pages = rows.map((row) => Number(row["pages"]));
  const largest = Math.max(0, ...pages);
  const rest = pages.reduce((sum, some) => sum + some, 0) - largest;
  if (rest >= Math.max(leastPages, largest * leastShare)) await mergeWords(database);
}
