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
const [cleanupLease, jumpLease] = ["mail cleanup", "mail clock"] as const;

/** When old mail may be deleted. */
export interface CleanupClock {
  /** The earlier of this clock and the database's. */
  now: Date;
  /** Set if the clock has jumped, and mail must not be deleted yet. */
  waitsUntil: Date | undefined;
}

/** The clocks, and the recorded times. Milliseconds since 1970. */
interface Clocks {
  /** The database's clock, by which the times are recorded. */
  database: number;
  /** The earlier and the later of this clock and the database's. */
  earlier: number;
  later: number;
  lastCleanup: number | undefined;
  lastJump: number | undefined;
}

/**
 * Records a cleanup, and finds out whether the clock has jumped since an earlier one. A clock that is wrong for more than
 * one start would otherwise delete all mail, and mail from a time with a slow clock would be deleted when it is right.
 * @param keepDays the days that mail is kept, which bound the wait after a jump
 */
export async function recordCleanup(database: Database, keepDays: number): Promise<CleanupClock> {
  const clocks = await readClocks(database);
  const leases = createLeases(database);
  const isJump = hasJumped(clocks);
  // The jump first: a process that is killed in between must not forget it.
  if (isJump) await leases.take(jumpLease, "countersign", 0);
  await leases.take(cleanupLease, "countersign", 0);
  const jump = isJump ? clocks.database : clocks.lastJump;
  return {
    now: new Date(clocks.earlier),
    waitsUntil: waitAfter({ ...clocks, lastJump: jump }, keepDays),
  };
}

/** Returns when the deletion of old mail begins again after a jump of the clock. Undefined if mail may be deleted now. */
export async function cleanupWaitsUntil(
  database: Database,
  keepDays: number,
): Promise<Date | undefined> {
  return waitAfter(await readClocks(database), keepDays);
}

async function readClocks(database: Database): Promise<Clocks> {
  const { rows } = await database.read({
    sql: `SELECT ${databaseClock} AS now, (SELECT until FROM leases WHERE name = ?) AS cleanup,
      (SELECT until FROM leases WHERE name = ?) AS jump`,
    args: [cleanupLease, jumpLease],
  });
  const { now, cleanup, jump } = rows[0] ?? {};
  const [own, stored] = [Date.now(), Number(now)];
  return {
    database: stored,
    earlier: Math.min(own, stored),
    later: Math.max(own, stored),
    lastCleanup: typeof cleanup === "number" ? cleanup : undefined,
    lastJump: typeof jump === "number" ? jump : undefined,
  };
}

function hasJumped({ earlier, later, lastCleanup: last }: Clocks): boolean {
  return last !== undefined && (later - last > mostGapMs || last - earlier > mostBackMs);
}

function waitAfter({ earlier, lastJump: jump }: Clocks, keepDays: number): Date | undefined {
  if (jump === undefined) return undefined;
  const until = jump + Math.min(waitMs, keepDays * dayMs);
  return earlier < until ? new Date(until) : undefined;
}
