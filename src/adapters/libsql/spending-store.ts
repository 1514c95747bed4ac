import {
  type Limit,
  type Spendings,
  idleGapMs,
  joinsWithinMs,
  longestTurnMs,
} from "../../core/budget.ts";
import { type Database, databaseClock as now } from "./database.ts";
import { damaged, storedInteger } from "./stored-values.ts";

/** A row this far ahead of the clock is from before the clock was set back, and counts for nothing. Milliseconds. */
const aheadMs = 60_000;

// Numbered, because both statements need them; in the order of `spend`.
const [principal, client, turn, goesOnWithin] = ["?1", "?2", "?3", "?4"];
const [risk, digest] = ["?5", "?6"];
const [minuteLeft, turnLeft, highLeft] = ["?7", "?8", "?9"];

/** The turn that goes on where there is no trace id, else the one that was named. */
const thisTurn = `(SELECT coalesce((SELECT turn FROM spendings WHERE principal = ${principal} AND client = ${client}
  AND at > ${now} - ${goesOnWithin} ORDER BY seq DESC LIMIT 1), ${turn}))`;
const inMinute = `principal = ${principal} AND at > ${now} - 60000`;
const inTurn = `principal = ${principal} AND turn = ${thisTurn} AND at > ${now} - ${longestTurnMs}`;
const isHigh = `risk = 'high' AND ${risk} = 'high'`;
const count = (which: string): string => `(SELECT count(*) FROM spendings WHERE ${which})`;

/** A twin whose request has ended is joined by nobody: a rule may have let it run, and would let the next one. */
const hasEnded = `EXISTS (SELECT 1 FROM tickets WHERE tickets.principal = twin.principal AND tickets.digest = twin.digest
  AND tickets.created_at >= twin.at AND tickets.status NOT IN ('pending', 'approved', 'running'))`;

/** True for a call whose identical twin is about to open the request that both share. */
const joins = `EXISTS (SELECT 1 FROM spendings AS twin WHERE principal = ${principal} AND digest = ${digest} AND ${isHigh}
  AND at > ${now} - ${joinsWithinMs} AND NOT ${hasEnded})`;

const cleanUp = `DELETE FROM spendings WHERE at <= ${now} - ${longestTurnMs} OR at > ${now} + ${aheadMs}`;

const countIt = `INSERT INTO spendings (principal, client, turn, risk, digest, at)
  SELECT ${principal}, ${client}, ${thisTurn}, ${risk}, ${digest}, ${now}
  WHERE NOT ${joins} AND ${count(inMinute)} < ${minuteLeft} AND ${count(inTurn)} < ${turnLeft}
  AND ${count(`${inTurn} AND ${isHigh}`)} < ${highLeft} RETURNING seq`;

/** When so many calls of these are over that one more is allowed. */
const freeIn = (which: string, left: string, lastsMs: number): string =>
  `coalesce((SELECT at FROM spendings WHERE ${which} ORDER BY at
    LIMIT 1 OFFSET max(0, ${count(which)} - ${left})) + ${lastsMs} - ${now}, ${lastsMs})`;

/** A turn without a trace id is over when nothing came for a while; one with a trace id when its calls are forgotten. */
const turnEndsIn = (which: string, left: string): string =>
  `CASE WHEN ${client} IS NULL THEN ${freeIn(which, left, longestTurnMs)} ELSE ${idleGapMs} END`;

const explain = `SELECT CASE WHEN ${joins} THEN 'none' WHEN ${count(inMinute)} >= ${minuteLeft} THEN 'minute'
  WHEN ${count(inTurn)} >= ${turnLeft} THEN 'turn' ELSE 'high' END AS "limit",
  ${freeIn(inMinute, minuteLeft, 60_000)} AS minute, ${turnEndsIn(inTurn, turnLeft)} AS turn,
  ${turnEndsIn(`${inTurn} AND ${isHigh}`, highLeft)} AS high`;

const limits: readonly unknown[] = ["minute", "turn", "high"] satisfies Limit[];
const isLimit = (value: unknown): value is Limit => limits.includes(value);

/** Calls of medium and high risk in libSQL. One transaction counts a call or finds out why not. */
export function createSpendings(database: Database): Spendings {
  return {
    spend: async (spending) => {
      const { left } = spending;
      const args = [
        spending.principal,
        spending.client ?? null,
        spending.turn,
        spending.goesOnWithinMs,
        spending.risk,
        spending.digest,
        left.minute,
        left.turn,
        left.high,
      ];
      const [, counted, explained] = await database.write([
        { sql: cleanUp, args: [] },
        { sql: countIt, args },
        { sql: explain, args },
      ]);
      if (counted === undefined || counted.rows.length > 0) return undefined;
      const row = explained?.rows[0];
      const limit = row?.["limit"];
      if (limit === "none") return undefined;
      if (!isLimit(limit)) throw damaged("limit");
      return { limit, retryAfterMs: storedInteger(row?.[limit]) };
    },
    notAsked: async ({ principal: whose, digest: which }) => {
      const sql = `UPDATE spendings SET risk = 'medium'
        WHERE principal = ? AND digest = ? AND risk = 'high' AND at > ${now} - ${joinsWithinMs}`;
      await database.write([{ sql, args: [whose, which] }]);
    },
  };
}
