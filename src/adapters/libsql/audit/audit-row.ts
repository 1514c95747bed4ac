import type { AuditEventType } from "../../../core/audit/audit.ts";
import type { ChainedEvent } from "../../../core/audit/audit-chain.ts";
import type { Risk } from "../../../core/policy/risk.ts";
import type { Row } from "../driver/statement.ts";
import { storedInteger, storedOneOf, storedText, storedTime } from "../driver/stored-values.ts";

const types: readonly AuditEventType[] = [
  "called",
  "refused",
  "asked",
  "decided",
  "started",
  "finished",
];
const risks: readonly Risk[] = ["low", "medium", "high"];

/**
 * Converts a row.
 * @throws if this program cannot have written the row
 */
export function toStoredEvent(row: Row): ChainedEvent {
  const { risk } = row;
  return {
    seq: storedInteger(row["seq"]),
    mac: storedText(row["mac"]),
    keyId: storedText(row["key_id"]),
    event: {
      type: storedOneOf(types, row["type"]),
      at: storedTime(row["at"]),
      callId: storedText(row["call_id"]),
      principal: storedText(row["principal"]),
      client: storedText(row["client"]),
      tool: storedText(row["tool"]),
      ...(risk !== null && { risk: storedOneOf(risks, risk) }),
      ...optional("ticketId", row["ticket_id"]),
      ...optional("digest", row["digest"]),
      ...optional("sentence", row["sentence"]),
      ...optional("outcome", row["outcome"]),
      ...optional("content", row["content"]),
    },
  };
}

/**
 * Returns an object with the field, or an empty one if the column is null. An absent field and an empty field have
 * different MACs.
 */
function optional<Name extends "ticketId" | "digest" | "sentence" | "outcome" | "content">(
  name: Name,
  value: unknown,
): Partial<Record<Name, string>> {
  const field: Partial<Record<Name, string>> = {};
  if (value !== null) field[name] = storedText(value);
  return field;
}
