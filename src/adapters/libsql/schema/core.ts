import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

// All times are milliseconds since 1970 on the database's own clock.

/** Requests for approval. Which columns are filled follows from `status`: core/ticket.ts. */
export const tickets = sqliteTable(
  "tickets",
  {
    /** Order of opening: clocks can go back. */
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    ticketId: text("ticket_id").notNull().unique(),
    principal: text("principal").notNull(),
    tool: text("tool").notNull(),
    risk: text("risk").notNull(),
    args: text("args", { mode: "json" }).notNull(),
    digest: text("digest").notNull(),
    target: text("target"),
    effect: text("effect", { mode: "json" }).notNull(),
    fingerprint: text("fingerprint").notNull(),
    client: text("client").notNull(),
    configHash: text("config_hash").notNull(),
    status: text("status").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    questionHash: text("question_hash"),
    questionPutAt: integer("question_put_at"),
    questionExpiresAt: integer("question_expires_at"),
    questionAnswered: text("question_answered"),
    verdict: text("verdict"),
    door: text("door"),
    decidedBy: text("decided_by"),
    decidedAt: integer("decided_at"),
    runBefore: integer("run_before"),
    /** The process that runs it; kept when its lease lapses, so that it may still report the truth. */
    holder: text("holder"),
    leaseUntil: integer("lease_until"),
    output: text("output", { mode: "json" }),
    error: text("error", { mode: "json" }),
    delivered: integer("delivered", { mode: "boolean" }).notNull().default(false),
    endedAt: integer("ended_at"),
  },
  (table) => [
    // Identical calls share one open request, whichever process gets there first.
    uniqueIndex("tickets_open")
      .on(table.principal, table.digest, table.configHash)
      .where(sql`${table.status} in ('pending', 'approved', 'running')`),
    index("tickets_identical").on(table.principal, table.digest, table.configHash, table.seq),
    index("tickets_question").on(table.questionHash),
    index("tickets_ended").on(table.endedAt),
    check(
      "tickets_status",
      sql`${table.status} in ('pending', 'approved', 'running', 'done', 'failed', 'unknown', 'denied', 'expired')`,
    ),
  ],
);

/** Whose requests are stopped: a principal, or `*` for everybody. No row: nothing is. */
export const pauses = sqliteTable("pauses", {
  scope: text("scope").primaryKey(),
  by: text("by").notNull(),
  at: integer("at").notNull(),
});

/** What happened, each row chained to the one before it by `mac`. Rows are only ever added. */
export const audit = sqliteTable(
  "audit",
  {
    seq: integer("seq").primaryKey(),
    mac: text("mac").notNull(),
    /** Names the key of the MAC; the key itself is never in the database. */
    keyId: text("key_id").notNull(),
    type: text("type").notNull(),
    at: integer("at").notNull(),
    callId: text("call_id").notNull(),
    ticketId: text("ticket_id"),
    principal: text("principal").notNull(),
    client: text("client").notNull(),
    tool: text("tool").notNull(),
    risk: text("risk"),
    digest: text("digest"),
    sentence: text("sentence"),
    outcome: text("outcome"),
  },
  (table) => [index("audit_at").on(table.at)],
);

/** A role that one process at a time may hold: renewed by its holder, free when it lapses. */
export const leases = sqliteTable("leases", {
  name: text("name").primaryKey(),
  holder: text("holder").notNull(),
  until: integer("until").notNull(),
});
