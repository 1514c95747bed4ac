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
    /** What the call acts on: the same for every call that a refusal of this one stands for. */
    actsOn: text("acts_on"),
    effect: text("effect", { mode: "json" }).notNull(),
    fingerprint: text("fingerprint").notNull(),
    client: text("client").notNull(),
    configHash: text("config_hash").notNull(),
    /** Null in rows of before there were policies: any approval channel. */
    channels: text("channels", { mode: "json" }),
    similar: text("similar", { mode: "json" }),
    status: text("status").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    questionHash: text("question_hash"),
    questionPutAt: integer("question_put_at"),
    questionExpiresAt: integer("question_expires_at"),
    questionAnswered: text("question_answered"),
    verdict: text("verdict"),
    channel: text("channel"),
    decidedBy: text("decided_by"),
    decidedAt: integer("decided_at"),
    /** What the person said to the assistant with a denial. */
    note: text("note"),
    mayAskAgain: integer("may_ask_again", { mode: "boolean" }),
    runBefore: integer("run_before"),
    /** The process that runs it; kept when its lease lapses, so that it may still report the truth. */
    holder: text("holder"),
    leaseUntil: integer("lease_until"),
    output: text("output", { mode: "json" }),
    error: text("error", { mode: "json" }),
    delivered: integer("delivered", { mode: "boolean" }).notNull().default(false),
    endedAt: integer("ended_at"),
    /** The newer request that took this one's place among those that wait. */
    gaveWayTo: text("gave_way_to"),
    /** The older request that gave way to this one. */
    tookPlaceOf: text("took_place_of"),
  },
  (table) => [
    // Identical calls share one open request, whichever process gets there first.
    uniqueIndex("tickets_open")
      .on(table.principal, table.digest, table.configHash)
      .where(sql`${table.status} in ('pending', 'approved', 'running')`),
    index("tickets_identical").on(table.principal, table.digest, table.configHash, table.seq),
    index("tickets_question").on(table.questionHash),
    index("tickets_ended").on(table.endedAt),
    index("tickets_denied")
      .on(table.principal, table.decidedAt)
      .where(sql`${table.status} = 'denied'`),
    // When a person last said yes to a caller: core/budget.ts.
    index("tickets_approved")
      .on(table.principal, table.decidedAt)
      .where(sql`${table.verdict} = 'approve'`),
    check(
      "tickets_status",
      sql`${table.status} in ('pending', 'approved', 'running', 'done', 'failed', 'unknown', 'denied', 'expired')`,
    ),
  ],
);

/** Whose requests are stopped: a principal, or `*` for everybody. A row that was resumed stops nothing any more. */
export const pauses = sqliteTable("pauses", {
  scope: text("scope").primaryKey(),
  by: text("by").notNull(),
  at: integer("at").notNull(),
  reason: text("reason").notNull().default("person"),
  /** Refusals from before this do not count towards the next pause. */
  resumedAt: integer("resumed_at"),
});

/** Calls of medium and high risk within the last hour, for the budgets: core/budget.ts. */
export const spendings = sqliteTable(
  "spendings",
  {
    seq: integer("seq").primaryKey(),
    principal: text("principal").notNull(),
    /** Only where there was no trace id. */
    client: text("client"),
    turn: text("turn").notNull(),
    risk: text("risk").notNull(),
    digest: text("digest").notNull(),
    at: integer("at").notNull(),
  },
  (table) => [
    index("spendings_at").on(table.at),
    index("spendings_turn").on(table.principal, table.turn, table.at),
    index("spendings_hour").on(table.principal, table.at),
  ],
);

/** Rules that were made at an approval channel. Those of the policy file are in the file alone. */
export const rules = sqliteTable(
  "rules",
  {
    ruleId: text("rule_id").primaryKey(),
    tool: text("tool").notNull(),
    principals: text("principals", { mode: "json" }).notNull(),
    conditions: text("conditions", { mode: "json" }).notNull(),
    uses: integer("uses").notNull(),
    configHash: text("config_hash").notNull(),
    ticketId: text("ticket_id").notNull(),
    channel: text("channel").notNull(),
    by: text("by").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("rules_tool").on(table.tool, table.expiresAt)],
);

/** How often each rule was used, those of the policy file too; `rule_key` is over all that the rule says. */
export const ruleUses = sqliteTable("rule_uses", {
  ruleKey: text("rule_key").primaryKey(),
  used: integer("used").notNull(),
  expiresAt: integer("expires_at").notNull(),
  revokedAt: integer("revoked_at"),
  revokedBy: text("revoked_by"),
});

/** What people decided, for rules to be suggested from: tickets themselves go after a day. Long texts are left out. */
export const decisions = sqliteTable(
  "decisions",
  {
    ticketId: text("ticket_id").primaryKey(),
    principal: text("principal").notNull(),
    tool: text("tool").notNull(),
    args: text("args", { mode: "json" }).notNull(),
    verdict: text("verdict").notNull(),
    channel: text("channel").notNull(),
    at: integer("at").notNull(),
  },
  (table) => [index("decisions_at").on(table.at)],
);

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
  (table) => [
    index("audit_at").on(table.at),
    // What was done and is told, among all that was only looked at.
    index("audit_finished")
      .on(table.seq)
      .where(sql`${table.type} = 'finished'`),
    index("audit_ticket")
      .on(table.ticketId)
      .where(sql`${table.ticketId} is not null`),
  ],
);

/** Where the audit log begins since older events were removed: the last of those, signed. One row at most. */
export const auditCheckpoint = sqliteTable(
  "audit_checkpoint",
  {
    id: integer("id").primaryKey(),
    seq: integer("seq").notNull(),
    mac: text("mac").notNull(),
    at: integer("at").notNull(),
    keyId: text("key_id").notNull(),
    signature: text("signature").notNull(),
  },
  (table) => [check("audit_checkpoint_one", sql`${table.id} = 1`)],
);

/** A role that one process at a time may hold: renewed by its holder, free when it lapses. */
export const leases = sqliteTable("leases", {
  name: text("name").primaryKey(),
  holder: text("holder").notNull(),
  until: integer("until").notNull(),
});
