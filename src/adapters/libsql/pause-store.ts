import { type Column, eq, exists, inArray, or, sql } from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/sqlite-core";
import { type Tickets, everybody } from "../../core/ticket.ts";
import type { Database } from "./database.ts";
import { now, typedQueries } from "./query.ts";
import { pauses } from "./schema/core.ts";

/** True in a row of whose principal nothing may run; part of the claim's one statement, so that no run slips through. */
export function isPaused(principal: Column) {
  const holding = or(eq(pauses.scope, everybody), eq(pauses.scope, principal));
  return exists(
    new QueryBuilder()
      .select({ one: sql`1` })
      .from(pauses)
      .where(holding),
  );
}

/** The pauses of core/ticket.ts. */
export function pauseStore(database: Database): Pick<Tickets, "pauseOf" | "pause" | "resume"> {
  const { reads, writes } = typedQueries(database);
  return {
    pauseOf: async (principal) => {
      const [found] = await reads.batch([
        reads
          .select()
          .from(pauses)
          .where(inArray(pauses.scope, [everybody, principal])),
      ]);
      const pause = found.find(({ scope }) => scope === everybody) ?? found[0];
      return pause && { ...pause, at: new Date(pause.at) };
    },
    pause: async (scope, by) => {
      const [added] = await writes.batch([
        writes.insert(pauses).values({ scope, by, at: now }).onConflictDoNothing().returning(),
      ]);
      return added.length > 0;
    },
    resume: async (scope) => {
      const [removed] = await writes.batch([
        writes.delete(pauses).where(eq(pauses.scope, scope)).returning(),
      ]);
      return removed.length > 0;
    },
  };
}
