import type { AuditEventType } from "../../../core/audit/audit.ts";
import type { ChainedEvent } from "../../../core/audit/audit-chain.ts";
import type { Risk } from "../../../core/policy/risk.ts";
import type { Row } from "../driver/database.ts";
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

/** Throws where the row is not one that this program writes. */
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
    },
  };
}

/** The field, or none where the row has nothing: an absent field and an empty one have different MACs. */
function optional<Name extends "ticketId" | "digest" | "sentence" | "outcome">(
  name: Name,
  value: unknown,
): Partial<Record<Name, string>> {
  const field: Partial<Record<Name, string>> = {};
  if (value !== null) field[name] = storedText(value);
  return field;
}
