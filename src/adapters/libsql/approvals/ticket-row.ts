import { settled } from "../../../core/approvals/approval.ts";
import type { Effect, Rendering } from "../../../core/approvals/effect.ts";
import { parseConditions } from "../../../core/policy/rules/condition.ts";
import type {
  AskingChannel,
  ApprovalChannel,
  Ticket,
  Verdict,
} from "../../../core/approvals/ticket.ts";
import {
  type ApprovalNotice,
  type ErrorFields,
  isErrorKind,
} from "../../../core/tool/tool-error.ts";
import type { Row } from "../driver/statement.ts";
import {
  damaged,
  storedOneOf,
  storedRecord,
  storedText,
  storedTime,
} from "../driver/stored-values.ts";

const operations = ["reads", "adds", "changes", "removes"] as const;
const risks = ["low", "medium", "high"] as const;
const askingChannels: readonly AskingChannel[] = ["elicitation", "page", "telegram", "terminal"];
const channels: readonly ApprovalChannel[] = [...askingChannels, "rule"];
const verdicts: readonly Verdict[] = ["approve", "deny"];
const answers = ["no", "again", "elsewhere"] as const;

/**
 * Returns the ticket with its status by the row's clock.
 * @param row all columns of `tickets`, and `now`, the database's clock at the time of reading
 * @throws if this program cannot have written the row
 */
export function toTicket(row: Row): Ticket {
  return settled(asWritten(row), storedTime(row["now"]));
}

/** Returns the ticket with its stored status, regardless of the clock. */
export function asWritten(row: Row): Ticket {
  const opened = {
    ticketId: storedText(row["ticket_id"]),
    principal: storedText(row["principal"]),
    tool: storedText(row["tool"]),
    risk: storedOneOf(risks, row["risk"]),
    args: storedRecord(parsed(row["args"])),
    digest: storedText(row["digest"]),
    target: textOrNone(row["target"]),
    actsOn: textOrNone(row["acts_on"]),
    effect: effect(parsed(row["effect"])),
    fingerprint: storedText(row["fingerprint"]),
    client: storedText(row["client"]),
    configHash: storedText(row["config_hash"]),
    channels: channelsOf(parsed(row["channels"])),
    similar: row["similar"] === null ? undefined : parseConditions(parsed(row["similar"])),
    createdAt: storedTime(row["created_at"]),
    expiresAt: storedTime(row["expires_at"]),
    ...optional("replaces", row["replaces"]),
    ...(row["seen_at"] !== null && { seenAt: storedTime(row["seen_at"]) }),
  };
  const status = storedText(row["status"]);
  if (status === "pending") return { ...opened, status, question: question(row) };
  if (status === "expired") {
    return { ...opened, status, ...optional("replacedBy", row["replaced_by"]), ...errorIn(row) };
  }
  const decided = {
    ...opened,
    decision: {
      verdict: storedOneOf(verdicts, row["verdict"]),
      channel: storedOneOf(channels, row["channel"]),
      by: storedText(row["decided_by"]),
      at: storedTime(row["decided_at"]),
      ...optional("note", row["note"]),
      ...(row["may_ask_again"] === 1 && { mayAskAgain: true as const }),
    },
  };
  const finishedAt = (): Date => storedTime(row["ended_at"]);
  switch (status) {
    case "approved":
      return { ...decided, status, runBefore: storedTime(row["run_before"]) };
    case "running":
      return { ...decided, status, leaseUntil: storedTime(row["lease_until"]) };
    case "done": {
      const output = storedRecord(parsed(row["output"]));
      const delivered = row["delivered"] === 1;
      return { ...decided, status, finishedAt: finishedAt(), output, delivered };
    }
    case "failed": {
      const error = errorOf(parsed(row["error"]));
      return { ...decided, status, finishedAt: finishedAt(), error };
    }
    case "unknown":
      return { ...decided, status, finishedAt: finishedAt(), ...errorIn(row) };
    case "denied":
      return { ...decided, status };
    default:
      throw damaged(`status: ${status}`);
  }
}

function errorIn(row: Row): { error?: ErrorFields } {
  return row["error"] === null ? {} : { error: errorOf(parsed(row["error"])) };
}

function parsed(value: unknown): unknown {
  return JSON.parse(storedText(value));
}

function textOrNone(value: unknown): string | undefined {
  return value === null ? undefined : storedText(value);
}

function optional<Name extends string>(name: Name, value: unknown): Partial<Record<Name, string>> {
  const one: Partial<Record<Name, string>> = {};
  if (value !== null) one[name] = storedText(value);
  return one;
}

function channelsOf(value: unknown): AskingChannel[] {
  if (!Array.isArray(value)) throw damaged("channels");
  return value.map((channel: unknown) => storedOneOf(askingChannels, channel));
}

function question(row: Row) {
  if (row["question_put_at"] === null) return undefined;
  return {
    putAt: storedTime(row["question_put_at"]),
    expiresAt: storedTime(row["question_expires_at"]),
    answered: storedOneOf(answers, row["question_answered"]),
  };
}

function effect(value: unknown): Effect {
  const { title, operation, followsUnknownRun, forModel, forPerson, forDialog } =
    storedRecord(value);
  const { withheld } = storedRecord(forDialog);
  return {
    title: storedText(title),
    ...(operation !== undefined && { operation: storedOneOf(operations, operation) }),
    ...(followsUnknownRun === true && { followsUnknownRun }),
    forModel: rendering(forModel),
    forPerson: rendering(forPerson),
    forDialog: {
      ...rendering(forDialog),
      ...(withheld !== undefined && { withheld: storedText(withheld) }),
    },
  };
}

function rendering(value: unknown): Rendering {
  const { headline, facts } = storedRecord(value);
  return { headline: storedText(headline), facts: lines(facts) };
}

function lines(value: unknown) {
  if (!Array.isArray(value)) throw damaged("effect");
  return value.map((line: unknown) => {
    const fields = storedRecord(line);
    return { label: storedText(fields["label"]), value: storedText(fields["value"]) };
  });
}

function errorOf(value: unknown): ErrorFields {
  const fields = storedRecord(value);
  const { kind, retryable, retryAfterSeconds, hint, approval } = fields;
  if (!isErrorKind(kind) || typeof retryable !== "boolean") throw damaged("error");
  return {
    kind,
    message: storedText(fields["message"]),
    retryable,
    sideEffects: storedOneOf(["none", "unknown"], fields["sideEffects"]),
    ...(hint !== undefined && { hint: storedText(hint) }),
    ...(typeof retryAfterSeconds === "number" && { retryAfterSeconds }),
    ...(approval !== undefined && { approval: notice(storedRecord(approval)) }),
  };
}

function notice(fields: Readonly<Record<string, unknown>>): ApprovalNotice {
  const { answered, url } = fields;
  return {
    id: storedText(fields["id"]),
    tool: storedText(fields["tool"]),
    status: storedText(fields["status"]),
    fingerprint: storedText(fields["fingerprint"]),
    expiresAt: storedText(fields["expiresAt"]),
    ...(answered !== undefined && { answered: storedText(answered) }),
    ...(url !== undefined && { url: storedText(url) }),
  };
}
