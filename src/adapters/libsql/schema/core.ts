import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

// All times are milliseconds since 1970 on the database's own clock.

/** Approval requests. `status` decides which columns are filled. */
export const tickets = sqliteTable(
  "tickets",
  {
    /** Order of opening, since clocks can go back. */
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    ticketId: text("ticket_id").notNull().unique(),
    principal: text("principal").notNull(),
    tool: text("tool").notNull(),
    risk: text("risk").notNull(),
    args: text("args", { mode: "json" }).notNull(),
    digest: text("digest").notNull(),
    target: text("target"),
    /** The object of the call. A denial covers every call with the same value. */
    actsOn: text("acts_on"),
    effect: text("effect", { mode: "json" }).notNull(),
    fingerprint: text("fingerprint").notNull(),
    client: text("client").notNull(),
    configHash: text("config_hash").notNull(),
    channels: text("channels", { mode: "json" }).notNull(),
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
    /** The person's note to the assistant with a denial. */
    note: text("note"),
    mayAskAgain: integer("may_ask_again", { mode: "boolean" }),
    runBefore: integer("run_before"),
    /** The process that runs it. Kept after its lease lapses, so that it may still report the result. */
    holder: text("holder"),
    leaseUntil: integer("lease_until"),
    output: text("output", { mode: "json" }),
    error: text("error", { mode: "json" }),
    delivered: integer("delivered", { mode: "boolean" }).notNull().default(false),
    endedAt: integer("ended_at"),
    /** The newer request that replaced this one in the waiting list. */
    replacedBy: text("replaced_by"),
    /** The older request that this one replaced. */
    replaces: text("replaces"),
    /** When a person first saw it on the page or in a terminal. */
    seenAt: integer("seen_at"),
    /** Seals of the steps, with the key of the audit record: see request-seal.ts. */
    askedSeal: text("asked_seal"),
    decidedSeal: text("decided_seal"),
    endedSeal: text("ended_seal"),
  },
  (table) => [
    // Identical calls share one open request, even across processes.
    uniqueIndex("tickets_open")
      .on(table.principal, table.digest, table.configHash)
      .where(sql`${table.status} in ('pending', 'approved', 'running')`),
    index("tickets_identical").on(table.principal, table.digest, table.configHash, table.seq),
    index("tickets_question").on(table.questionHash),
    index("tickets_ended").on(table.endedAt),
    index("tickets_denied")
      .on(table.principal, table.decidedAt)
      .where(sql`${table.status} = 'denied'`),
    // For the last approval of a caller, which renews its budget.
    index("tickets_approved")
      .on(table.principal, table.decidedAt)
      .where(sql`${table.verdict} = 'approve'`),
    check(
      "tickets_status",
      sql`${table.status} in ('pending', 'approved', 'running', 'done', 'failed', 'unknown', 'denied', 'expired')`,
    ),
  ],
);

/** Paused callers: a principal, or `*` for all. A row with `resumed_at` has no effect. */
export const pauses = sqliteTable("pauses", {
  scope: text("scope").primaryKey(),
  by: text("by").notNull(),
  at: integer("at").notNull(),
  reason: text("reason").notNull().default("person"),
  /** Earlier denials do not count towards the next pause. */
  resumedAt: integer("resumed_at"),
});

/** Calls of medium and high risk within the last hour, for the budgets. */
export const charges = sqliteTable(
  "charges",
  {
    seq: integer("seq").primaryKey(),
    principal: text("principal").notNull(),
    /** Set only without a trace id. */
    client: text("client"),
    turn: text("turn").notNull(),
    risk: text("risk").notNull(),
    digest: text("digest").notNull(),
    at: integer("at").notNull(),
  },
  (table) => [
    index("charges_at").on(table.at),
    index("charges_turn").on(table.principal, table.turn, table.at),
    index("charges_hour").on(table.principal, table.at),
  ],
);

/** Rules that were made at an approval channel. Rules of the policy file are only in the file. */
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

/** The use count of each rule, including those of the policy file. `rule_key` covers the whole rule. */
export const ruleUses = sqliteTable("rule_uses", {
  ruleKey: text("rule_key").primaryKey(),
  used: integer("used").notNull(),
  expiresAt: integer("expires_at").notNull(),
  revokedAt: integer("revoked_at"),
  revokedBy: text("revoked_by"),
});

/** Decisions of people, from which rules are suggested. Tickets are deleted after a day. Long texts are left out. */
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

/** The audit record. Each row is chained to the previous one by `mac`. Rows are only added. */
export const audit = sqliteTable(
  "audit",
  {
    seq: integer("seq").primaryKey(),
    mac: text("mac").notNull(),
    /** Identifies the key of the MAC, which is never in the database. */
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
    content: text("content"),
  },
  (table) => [
    index("audit_at").on(table.at),
    // For calls that changed something, among all events.
    index("audit_change")
      .on(table.seq)
      .where(sql`${table.type} in ('started', 'finished')`),
    index("audit_ticket")
      .on(table.ticketId)
      .where(sql`${table.ticketId} is not null`),
  ],
);

/** The signed position of the last removed event, from which the audit record continues. At most one row. */
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

/** Reports of the observed behaviour of clients, by the name and version that they chose. */
export const clientReports = sqliteTable(
  "client_reports",
  {
    name: text("name").notNull(),
    version: text("version").notNull(),
    report: text("report").notNull(),
    at: integer("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.version] })],
);

/** A lease that one process at a time may hold. Its holder renews it, and it is free after it lapses. */
export const leases = sqliteTable("leases", {
  name: text("name").primaryKey(),
  holder: text("holder").notNull(),
  until: integer("until").notNull(),
});
