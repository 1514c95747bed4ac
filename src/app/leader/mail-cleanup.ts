import { type Database, databaseClock } from "../../adapters/libsql/driver/database.ts";
import { createLeases } from "../../adapters/libsql/driver/leases.ts";

const dayMs = 24 * 3_600_000;

/** After a longer time without a cleanup the clock may have jumped: it would make all mail old. Milliseconds. */
const mostGapMs = 30 * dayMs;
/** A clock that is corrected moves back by less. Milliseconds. */
const mostBackMs = dayMs;

/** No mail is deleted for so long after a jump, or for the days that mail is kept if they are fewer. Milliseconds. */
const waitMs = 30 * dayMs;

/** Leases that end when they are taken: at the last cleanup, and at the last jump. */
const [lastCleanup, lastJump] = ["mail cleanup", "mail clock"] as const;

/** When old mail may be deleted. */
export interface CleanupClock {
  /** The earlier of this clock and the database's. */
  now: Date;
  /** Set if the clock has jumped, and mail must not be deleted yet. */
  waitsUntil: Date | undefined;
}

/**
 * Records a cleanup, and finds out whether the clock has jumped since an earlier one. A clock that is wrong for more than
 * one start would otherwise delete all mail, and mail from a time with a slow clock would be deleted when it is right.
 */
export async function recordCleanup(database: Database, keepDays: number): Promise<CleanupClock> {
  const { rows } = await database.read({
    sql: `SELECT ${databaseClock} AS now, (SELECT until FROM leases WHERE name = ?) AS last`,
    args: [lastCleanup],
  });
  const { now, last } = rows[0] ?? {};
  const clocks = [Date.now(), Number(now)];
  const hasJumped =
    typeof last === "number" &&
    (Math.max(...clocks) - last > mostGapMs || last - Math.min(...clocks) > mostBackMs);
  const leases = createLeases(database);
  // The jump first: a process that is killed in between must not forget it.
  if (hasJumped) await leases.take(lastJump, "countersign", 0);
  await leases.take(lastCleanup, "countersign", 0);
  return {
    now: new Date(Math.min(...clocks)),
    waitsUntil: await cleanupWaitsUntil(database, keepDays),
  };
}

/** Returns when the deletion of old mail begins again after a jump of the clock. Undefined if mail may be deleted now. */
export async function cleanupWaitsUntil(
  database: Database,
  keepDays: number,
): Promise<Date | undefined> {
  const { rows } = await database.read({
    sql: `SELECT ${databaseClock} AS now, (SELECT until FROM leases WHERE name = ?) AS jump`,
    args: [lastJump],
  });
  const { now, jump } = rows[0] ?? {};
  if (typeof jump !== "number") return undefined;
  const until = jump + Math.min(waitMs, keepDays * dayMs);
  return Math.min(Date.now(), Number(now)) < until ? new Date(until) : undefined;
}
