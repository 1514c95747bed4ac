import { parseConditions } from "../../../core/policy/rules/condition.ts";
import type { RuleStore, RuleState, SimilarRule } from "../../../core/policy/rules/rule-store.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import { type Row } from "../driver/statement.ts";
import { damaged, storedInteger, storedText, storedTime } from "../driver/stored-values.ts";

/** Time for which ended rules are kept for `policy list`. Milliseconds. */
const keepEndedMs = 24 * 3_600_000;

export function createRuleStore(database: Database): RuleStore {
  const purge = ["rules", "rule_uses"].map((table) => ({
    sql: `DELETE FROM ${table} WHERE expires_at <= ${now} - ${keepEndedMs}`,
    args: [],
  }));

  return {
    add: async (rule, forMs) => {
      const [, , inserted] = await database.write([
        ...purge,
        {
          sql: `INSERT INTO rules (rule_id, tool, principals, conditions, uses, config_hash, ticket_id, channel, "by",
              created_at, expires_at)
            SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, clock.at, clock.at + ? FROM (SELECT ${now} AS at) AS clock
            RETURNING *`,
          args: [
            rule.ruleId,
            rule.tool,
            JSON.stringify(rule.principals),
            JSON.stringify(rule.when),
            rule.uses,
            rule.configHash,
            rule.ticketId,
            rule.channel,
            rule.by,
            forMs,
          ],
        },
      ]);
      return toRule(inserted?.rows[0] ?? {});
    },

    list: async (filter) => {
      const { rows } = await database.read({
        sql: `SELECT * FROM rules ${filter === undefined ? "" : "WHERE tool = ? AND config_hash = ?"}
          ORDER BY created_at DESC, rule_id`,
        args: filter === undefined ? [] : [filter.tool, filter.configHash],
      });
      const rules = rows.map(toRule);
      if (filter === undefined) return rules;
      return rules.filter(({ principals }) => principals.includes(filter.principal));
    },

    states: async (keys) => {
      if (keys.length === 0) return new Map();
      const { rows } = await database.read({
        sql: "SELECT * FROM rule_uses WHERE rule_key IN (SELECT value FROM json_each(?))",
        args: [JSON.stringify(keys)],
      });
      return new Map(rows.map((row) => [storedText(row["rule_key"]), toState(row)]));
    },

    use: async ({ key, uses, expiresAt }) => {
      const until = expiresAt.getTime();
      const [taken] = await database.write([
        {
          sql: `INSERT INTO rule_uses (rule_key, used, expires_at) SELECT ?, 1, ? WHERE ? > ${now}
            ON CONFLICT (rule_key) DO UPDATE SET used = used + 1
            WHERE used < ? AND revoked_at IS NULL RETURNING used`,
          args: [key, until, until, uses],
        },
      ]);
      return (taken?.rows.length ?? 0) > 0;
    },

    revoke: async ({ key, expiresAt }, by) => {
      const [revoked] = await database.write([
        {
          sql: `INSERT INTO rule_uses (rule_key, used, expires_at, revoked_at, revoked_by)
            VALUES (?, 0, ?, ${now}, ?)
            ON CONFLICT (rule_key) DO UPDATE SET revoked_at = excluded.revoked_at, revoked_by = excluded.revoked_by
            WHERE revoked_at IS NULL RETURNING used`,
          args: [key, expiresAt.getTime(), by],
        },
      ]);
      return (revoked?.rows.length ?? 0) > 0;
    },
  };
}

function toRule(row: Row): SimilarRule {
  return {
    ruleId: storedText(row["rule_id"]),
    tool: storedText(row["tool"]),
    principals: names(JSON.parse(storedText(row["principals"]))),
    when: parseConditions(JSON.parse(storedText(row["conditions"]))),
    uses: storedInteger(row["uses"]),
    source: "similar",
    ticketId: storedText(row["ticket_id"]),
    channel: storedText(row["channel"]),
    by: storedText(row["by"]),
    createdAt: storedTime(row["created_at"]),
    expiresAt: storedTime(row["expires_at"]),
  };
}

function names(value: unknown): string[] {
  if (!Array.isArray(value)) throw damaged("principals");
  return value.map(storedText);
}

function toState(row: Row): RuleState {
  const at = row["revoked_at"];
  return {
    used: storedInteger(row["used"]),
    revoked: at === null ? undefined : { at: storedTime(at), by: storedText(row["revoked_by"]) },
  };
}
