import { type BudgetStore, joinsWithinMs, longestTurnMs } from "../../../core/budget/budget.ts";
import type { Limit, UsedUp } from "../../../core/budget/budget-exceeded.ts";
import { everybody } from "../../../core/approvals/ticket.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import { damaged, storedInteger } from "../driver/stored-values.ts";

/** A row this far ahead of the clock is from before the clock was set back. It is ignored. Milliseconds. */
const aheadMs = 60_000;

// The arguments are numbered, because two statements use them. Their order is that of `spend`.
const [principal, client, turn, sameTurnWithin] = ["?1", "?2", "?3", "?4"];
const [risk, digest] = ["?5", "?6"];

const hourMs = 3_600_000;

/** Returns when a person last approved a request through one of these channels, or resumed the caller. 0 for never. */
const renewedAt = (channels: string): string =>
  `max(coalesce((SELECT max(resumed_at) FROM pauses WHERE scope IN ('${everybody}', ${principal})
      AND resumed_at <= ${now} + ${aheadMs}), 0),
    coalesce((SELECT max(decided_at) FROM tickets WHERE principal = ${principal} AND verdict = 'approve'
      AND channel IN (${channels}) AND decided_at <= ${now} + ${aheadMs}), 0))`;
const hourRenewedAt = renewedAt("'page', 'telegram', 'terminal'");
const turnRenewedAt = renewedAt("'page', 'telegram', 'terminal', 'elicitation'");

/** The turn that the call continues if there is no trace id, or else the named one. */
const thisTurn = `(SELECT coalesce((SELECT turn FROM charges WHERE principal = ${principal} AND client = ${client}
  AND at > ${now} - ${sameTurnWithin} ORDER BY seq DESC LIMIT 1), ${turn}))`;
const count = (which: string): string => `(SELECT count(*) FROM charges WHERE ${which})`;

interface Window {
  /** The condition for the counted calls. */
  which: string;
  left: string;
  lastsMs: number;
  /** A process counts its low-risk calls this much longer than the store counts others. Milliseconds. */
  slotMs: number;
}

// A call in the same millisecond as a renewal counts, because it may have come after it.
const inHour = `principal = ${principal} AND at > ${now} - ${hourMs} AND at >= ${hourRenewedAt}`;
const inTurn = `principal = ${principal} AND turn = ${thisTurn} AND at > ${now} - ${longestTurnMs} AND at >= ${turnRenewedAt}`;
const isHigh = `risk = 'high' AND ${risk} = 'high'`;

const windows: Readonly<Record<Limit, Window>> = {
  minute: {
    which: `principal = ${principal} AND at > ${now} - 60000`,
    left: "?7",
    lastsMs: 60_000,
    slotMs: 1_000,
  },
  turn: { which: inTurn, left: "?8", lastsMs: longestTurnMs, slotMs: 0 },
  high: { which: `${inTurn} AND ${isHigh}`, left: "?9", lastsMs: longestTurnMs, slotMs: 0 },
  hour: { which: inHour, left: "?10", lastsMs: hourMs, slotMs: 60_000 },
  highHour: { which: `${inHour} AND ${isHigh}`, left: "?11", lastsMs: hourMs, slotMs: 0 },
};

/**
 * A twin (an identical call) whose request has ended cannot be joined. A rule may have approved it, and would approve
 * the next one too.
 */
const hasEnded = `EXISTS (SELECT 1 FROM tickets WHERE tickets.principal = twin.principal AND tickets.digest = twin.digest
  AND tickets.created_at >= twin.at AND tickets.status NOT IN ('pending', 'approved', 'running'))`;

/** True for a call whose twin is about to open the request that both will share. */
const joins = `EXISTS (SELECT 1 FROM charges AS twin WHERE principal = ${principal} AND digest = ${digest} AND ${isHigh}
  AND at > ${now} - ${joinsWithinMs} AND NOT ${hasEnded})`;

const cleanUp = `DELETE FROM charges WHERE at <= ${now} - ${longestTurnMs} OR at > ${now} + ${aheadMs}`;

const countIt = `INSERT INTO charges (principal, client, turn, risk, digest, at)
  SELECT ${principal}, ${client}, ${thisTurn}, ${risk}, ${digest}, ${now}
  WHERE NOT ${joins} AND ${Object.values(windows)
    .map(({ which, left }) => `${count(which)} < ${left}`)
    .join(" AND ")} RETURNING seq`;

/** Returns in how many milliseconds enough calls have expired for one more. Null if one is allowed now. */
const freeIn = ({ which, left, lastsMs, slotMs }: Window): string =>
  `CASE WHEN ${count(which)} >= ${left} THEN coalesce((SELECT at FROM charges WHERE ${which} ORDER BY at
    LIMIT 1 OFFSET max(0, ${count(which)} - ${left})) + ${lastsMs} - ${now}, ${lastsMs + slotMs}) END`;

const explain = `SELECT ${joins} AS joins, ${Object.entries(windows)
  .map(([limit, window]) => `${freeIn(window)} AS "${limit}"`)
  .join(", ")}`;

const renewedAgo = `SELECT ${now} - nullif(${turnRenewedAt}, 0) AS turn, ${now} - nullif(${hourRenewedAt}, 0) AS hour`;

/**
 * Creates the budget store for medium- and high-risk calls in libSQL. One transaction counts a call or finds why it is
 * refused.
 */
export function createBudgetStore(database: Database): BudgetStore {
  return {
    spend: async (charge) => {
      const { left } = charge;
      const args = [
        charge.principal,
        charge.client ?? null,
        charge.turn,
        charge.sameTurnWithinMs,
        charge.risk,
        charge.digest,
        left.minute,
        left.turn,
        left.high,
        left.hour,
        left.highHour,
      ];
      const [, counted, explained] = await database.write([
        { sql: cleanUp, args: [] },
        { sql: countIt, args },
        { sql: explain, args },
      ]);
      if (counted === undefined || counted.rows.length > 0) return undefined;
      const row = explained?.rows[0];
      if (row === undefined) throw damaged("limit");
      if (row["joins"] === 1) return undefined;
      const usedUp: UsedUp = Object.fromEntries(
        Object.keys(windows)
          .filter((limit) => row[limit] !== null)
          .map((limit) => [limit, storedInteger(row[limit])]),
      );
      if (Object.keys(usedUp).length === 0) throw damaged("limit");
      return usedUp;
    },
    renewedAgoMs: async (whose) => {
      const { rows } = await database.read({ sql: renewedAgo, args: [whose] });
      const ago = (which: string): number | undefined => {
        const value = rows[0]?.[which];
        return value === null || value === undefined ? undefined : storedInteger(value);
      };
      return { turn: ago("turn"), hour: ago("hour") };
    },
    refundApproval: async ({ principal: whose, digest: which }) => {
      const sql = `UPDATE charges SET risk = 'medium'
        WHERE principal = ? AND digest = ? AND risk = 'high' AND at > ${now} - ${joinsWithinMs}`;
      await database.write([{ sql, args: [whose, which] }]);
    },
  };
}
