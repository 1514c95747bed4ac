import { settled } from "../../core/approval.ts";
import type { Effect } from "../../core/effect.ts";
import type { Door, Ticket, Verdict } from "../../core/ticket.ts";
import { type ApprovalNotice, type ErrorFields, isErrorKind } from "../../core/tool-error.ts";
import type { tickets } from "./schema/core.ts";

/** A row with the database's clock when it was read. */
export type TicketRow = typeof tickets.$inferSelect & { now: number };

const risks = ["low", "medium", "high"] as const;
const doors: readonly Door[] = ["elicitation", "page", "telegram", "terminal", "rule"];
const verdicts: readonly Verdict[] = ["approve", "deny"];
const answers = ["no", "elsewhere"] as const;

/** The ticket as it stands at the row's clock. Throws where the row is not one that this program writes. */
export function toTicket(row: TicketRow): Ticket {
  return settled(asWritten(row), new Date(row.now));
}

/** The ticket as its row says, whatever the clock says. */
export function asWritten(row: TicketRow): Ticket {
  const opened = {
    ticketId: row.ticketId,
    principal: row.principal,
    tool: row.tool,
    risk: oneOf(risks, row.risk),
    args: record(row.args),
    digest: row.digest,
    target: row.target ?? undefined,
    effect: effect(row.effect),
    fingerprint: row.fingerprint,
    client: row.client,
    configHash: row.configHash,
    createdAt: new Date(row.createdAt),
    expiresAt: new Date(row.expiresAt),
  };
  const { status } = row;
  if (status === "pending") return { ...opened, status, question: question(row) };
  if (status === "expired") return { ...opened, status };
  const decided = {
    ...opened,
    decision: {
      verdict: oneOf(verdicts, row.verdict),
      door: oneOf(doors, row.door),
      by: text(row.decidedBy),
      at: time(row.decidedAt),
    },
  };
  switch (status) {
    case "approved":
      return { ...decided, status, runBefore: time(row.runBefore) };
    case "running":
      return { ...decided, status, leaseUntil: time(row.leaseUntil) };
    case "done": {
      const { delivered } = row;
      return {
        ...decided,
        status,
        finishedAt: time(row.endedAt),
        output: record(row.output),
        delivered,
      };
    }
    case "failed":
      return { ...decided, status, finishedAt: time(row.endedAt), error: errorOf(row.error) };
    case "unknown":
      return { ...decided, status, finishedAt: time(row.endedAt) };
    case "denied":
      return { ...decided, status };
    default:
      throw damaged(`status ${status}`);
  }
}

function question(row: TicketRow) {
  if (row.questionPutAt === null) return undefined;
  return {
    putAt: time(row.questionPutAt),
    expiresAt: time(row.questionExpiresAt),
    answered: oneOf(answers, row.questionAnswered),
  };
}

function effect(value: unknown): Effect {
  const { title, forModel, forPerson, clientMayRead } = record(value);
  if (typeof clientMayRead !== "boolean") throw damaged("effect");
  return {
    title: text(title),
    forModel: lines(forModel),
    forPerson: lines(forPerson),
    clientMayRead,
  };
}

function lines(value: unknown) {
  if (!Array.isArray(value)) throw damaged("effect");
  return value.map((line: unknown) => {
    const fields = record(line);
    return { label: text(fields["label"]), value: text(fields["value"]) };
  });
}

function errorOf(value: unknown): ErrorFields {
  const fields = record(value);
  const { kind, retryable, retryAfterSeconds, hint, approval } = fields;
  if (!isErrorKind(kind) || typeof retryable !== "boolean") throw damaged("error");
  return {
    kind,
    message: text(fields["message"]),
    retryable,
    sideEffects: oneOf(["none", "unknown"], fields["sideEffects"]),
    ...(hint !== undefined && { hint: text(hint) }),
    ...(typeof retryAfterSeconds === "number" && { retryAfterSeconds }),
    ...(approval !== undefined && { approval: notice(record(approval)) }),
  };
}

function notice(fields: Readonly<Record<string, unknown>>): ApprovalNotice {
  const { answered, url } = fields;
  return {
    id: text(fields["id"]),
    tool: text(fields["tool"]),
    status: text(fields["status"]),
    fingerprint: text(fields["fingerprint"]),
    expiresAt: text(fields["expiresAt"]),
    ...(answered !== undefined && { answered: text(answered) }),
    ...(url !== undefined && { url: text(url) }),
  };
}

function oneOf<Value extends string>(values: readonly Value[], value: unknown): Value {
  const found = values.find((known) => known === value);
  if (found === undefined) throw damaged(`value ${String(value)}`);
  return found;
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw damaged("object");
  return Object.fromEntries(Object.entries(value));
}

function text(value: unknown): string {
  if (typeof value !== "string") throw damaged("text");
  return value;
}

function time(value: number | null): Date {
  if (value === null) throw damaged("time");
  return new Date(value);
}

function damaged(what: string): TypeError {
  return new TypeError(`A stored request has no valid ${what}.`);
}
