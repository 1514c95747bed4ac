import {
  type Column,
  and,
  asc,
  eq,
  exists,
  inArray,
  isNotNull,
  isNull,
  or,
  sql,
} from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/sqlite-core";
import { fatigue } from "../../../core/approvals/fatigue.ts";
import { type Pause, type Tickets, everybody } from "../../../core/approvals/ticket.ts";
import type { Database } from "../driver/database.ts";
import { now, typedQueries } from "../driver/query.ts";
import { pauses, tickets } from "../schema/core.ts";
import { storedOneOf } from "../driver/stored-values.ts";

type PauseRow = typeof pauses.$inferSelect;

/** Replaces a pause that has ended, but not an active one. */
const unlessPaused = {
  target: pauses.scope,
  set: { by: sql`excluded.by`, at: now, reason: sql`excluded.reason`, resumedAt: null },
  setWhere: isNotNull(pauses.resumedAt),
};

/**
 * Returns the condition that a row's principal is paused. It is part of the claim's one statement, so that no run can
 * slip through.
 */
export function isPaused(principal: Column) {
  const holding = or(eq(pauses.scope, everybody), eq(pauses.scope, principal));
  return exists(
    new QueryBuilder()
      .select({ one: sql`1` })
      .from(pauses)
      .where(and(holding, isNull(pauses.resumedAt))),
  );
}

/** Pauses the ticket's principal after too many denials, in the transaction of the decision. */
export function pauseWhenTired(
  writes: ReturnType<typeof typedQueries>["writes"],
  ticketId: string,
  by: string,
) {
  const lastResumed = sql`(SELECT max(resumed_at) FROM pauses WHERE scope IN (${everybody}, this.principal))`;
  return writes
    .insert(pauses)
    .select(
      sql`SELECT this.principal, ${by}, ${now}, 'denials', NULL FROM ${tickets} AS this
      WHERE this.ticket_id = ${ticketId} AND this.status = 'denied'
        AND this.decided_at - this.created_at < ${fatigue.freshForMs} AND (
        SELECT count(*) FROM ${tickets} AS earlier
        WHERE earlier.principal = this.principal AND earlier.status = 'denied'
          AND earlier.decided_at - earlier.created_at < ${fatigue.freshForMs}
          AND earlier.decided_at > max(${now} - ${fatigue.denialsWithinMs}, coalesce(${lastResumed}, 0))
      ) >= ${fatigue.denialsBeforePause}`,
    )
    .onConflictDoUpdate(unlessPaused)
    .returning();
}

export function toPause({ resumedAt: _resumedAt, ...row }: PauseRow): Pause {
  return {
    ...row,
    at: new Date(row.at),
    reason: storedOneOf(["person", "denials"], row.reason),
  };
}

/** Creates the pause part of the tickets interface. */
export function pauseStore(
  database: Database,
): Pick<Tickets, "pauseOf" | "pauses" | "pause" | "resume"> {
  const { reads, writes } = typedQueries(database);
  return {
    pauseOf: async (principal) => {
      const [found] = await reads.batch([
        reads
          .select()
          .from(pauses)
          .where(and(inArray(pauses.scope, [everybody, principal]), isNull(pauses.resumedAt))),
      ]);
      const pause = found.find(({ scope }) => scope === everybody) ?? found[0];
      return pause && toPause(pause);
    },
    pauses: async () => {
      const [found] = await reads.batch([
        // `*` sorts before every name of a principal.
        reads.select().from(pauses).where(isNull(pauses.resumedAt)).orderBy(asc(pauses.scope)),
      ]);
      return found.map(toPause);
    },
    pause: async (scope, by) => {
      const [added] = await writes.batch([
        writes
          .insert(pauses)
          .values({ scope, by, at: now, reason: "person" })
          .onConflictDoUpdate(unlessPaused)
          .returning(),
      ]);
      return added.length > 0;
    },
    resume: async (scope, by) => {
      const [paused] = await writes.batch([
        writes
          .select()
          .from(pauses)
          .where(and(eq(pauses.scope, scope), isNull(pauses.resumedAt))),
        writes
          .insert(pauses)
          .values({ scope, by, at: now, reason: "person", resumedAt: now })
          .onConflictDoUpdate({ target: pauses.scope, set: { resumedAt: now } }),
      ]);
      return paused.length > 0;
    },
  };
}
