import { canonicalJson, sha256Hex } from "../../../core/shared/digest.ts";
import { type PastDecision, historyDays } from "../../../core/policy/rules/suggest.ts";
import type { Decision, Ticket } from "../../../core/approvals/ticket.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import { type Row } from "../driver/statement.ts";
import { storedRecord, storedText } from "../driver/stored-values.ts";

const keptMs = historyDays * 24 * 3_600_000;

/** Only the hash of a longer text is stored, because it is only compared. Characters. */
const longestKept = 200;

/** Recent decisions of people, from which rules are suggested. */
export interface DecisionHistory {
  /** Stores a decision. Never fails, because the decision itself is already valid. */
  keep(ticket: Ticket, decision: Pick<Decision, "verdict" | "channel">): Promise<void>;
  /** Oldest first. */
  list(): Promise<readonly PastDecision[]>;
}

export function createDecisionHistory(database: Database): DecisionHistory {
  return {
    keep: async ({ ticketId, principal, tool, args }, { verdict, channel }) => {
      const kept = Object.fromEntries(
        Object.entries(args).map(([name, value]) => [
          name,
          isShort(value) ? value : shortOf(value),
        ]),
      );
      const writing = database.write([
        { sql: `DELETE FROM decisions WHERE at <= ${now} - ${keptMs}`, args: [] },
        {
          sql: `INSERT INTO decisions (ticket_id, principal, tool, args, verdict, channel, at)
            VALUES (?, ?, ?, ?, ?, ?, ${now}) ON CONFLICT DO NOTHING`,
          args: [ticketId, principal, tool, JSON.stringify(kept), verdict, channel],
        },
      ]);
      await writing.catch(() => undefined);
    },
    list: async () => {
      const { rows } = await database.read({
        sql: `SELECT * FROM decisions WHERE at > ${now} - ${keptMs} ORDER BY at, ticket_id`,
        args: [],
      });
      return rows.map(toDecision);
    },
  };
}

function isShort(value: unknown): boolean {
  return typeof value !== "string" || value.length <= longestKept;
}

function shortOf(value: unknown): { sha256: string } {
  return { sha256: sha256Hex(canonicalJson(value)) };
}

function toDecision(row: Row): PastDecision {
  return {
    principal: storedText(row["principal"]),
    tool: storedText(row["tool"]),
    args: storedRecord(JSON.parse(storedText(row["args"]))),
    verdict: row["verdict"] === "approve" ? "approve" : "deny",
    channel: storedText(row["channel"]),
  };
}
