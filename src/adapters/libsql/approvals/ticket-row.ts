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
import type { tickets } from "../schema/core.ts";
import {
  damaged,
  storedOneOf,
  storedRecord,
  storedText,
  storedTime,
} from "../driver/stored-values.ts";

/** A row with the database's clock at the time of reading. */
export type TicketRow = typeof tickets.$inferSelect & { now: number };

const allDoes = ["reads", "adds", "changes", "removes"] as const;
const risks = ["low", "medium", "high"] as const;
const askingChannels: readonly AskingChannel[] = ["elicitation", "page", "telegram", "terminal"];
const channels: readonly ApprovalChannel[] = [...askingChannels, "rule"];
const verdicts: readonly Verdict[] = ["approve", "deny"];
const answers = ["no", "again", "elsewhere"] as const;

/**
 * Returns the ticket with its status by the row's clock.
 * @throws if this program cannot have written the row
 */
export function toTicket(row: TicketRow): Ticket {
  return settled(asWritten(row), new Date(row.now));
}

/** Returns the ticket with its stored status, regardless of the clock. */
export function asWritten(row: TicketRow): Ticket {
  const opened = {
    ticketId: row.ticketId,
    principal: row.principal,
    tool: row.tool,
    risk: storedOneOf(risks, row.risk),
    args: storedRecord(row.args),
    digest: row.digest,
    target: row.target ?? undefined,
    actsOn: row.actsOn ?? undefined,
    effect: effect(row.effect),
    fingerprint: row.fingerprint,
    client: row.client,
    configHash: row.configHash,
    channels: row.channels === null ? askingChannels : channelsOf(row.channels),
    similar: row.similar === null ? undefined : parseConditions(row.similar),
    createdAt: new Date(row.createdAt),
    expiresAt: new Date(row.expiresAt),
    ...(row.tookPlaceOf !== null && { tookPlaceOf: row.tookPlaceOf }),
  };
  const { status } = row;
  if (status === "pending") return { ...opened, status, question: question(row) };
  if (status === "expired") {
    return { ...opened, status, ...(row.gaveWayTo !== null && { gaveWayTo: row.gaveWayTo }) };
  }
  const decided = {
    ...opened,
    decision: {
      verdict: storedOneOf(verdicts, row.verdict),
      channel: storedOneOf(channels, row.channel),
      by: storedText(row.decidedBy),
      at: storedTime(row.decidedAt),
      ...(row.note !== null && { note: row.note }),
      ...(row.mayAskAgain === true && { mayAskAgain: true as const }),
    },
  };
  switch (status) {
    case "approved":
      return { ...decided, status, runBefore: storedTime(row.runBefore) };
    case "running":
      return { ...decided, status, leaseUntil: storedTime(row.leaseUntil) };
    case "done": {
      const { delivered } = row;
      return {
        ...decided,
        status,
        finishedAt: storedTime(row.endedAt),
        output: storedRecord(row.output),
        delivered,
      };
    }
    case "failed":
      return { ...decided, status, finishedAt: storedTime(row.endedAt), error: errorOf(row.error) };
    case "unknown":
      return { ...decided, status, finishedAt: storedTime(row.endedAt) };
    case "denied":
      return { ...decided, status };
    default:
      throw damaged(`status: ${status}`);
  }
}

function channelsOf(value: unknown): AskingChannel[] {
  if (!Array.isArray(value)) throw damaged("channels");
  return value.map((channel: unknown) => storedOneOf(askingChannels, channel));
}

function question(row: TicketRow) {
  if (row.questionPutAt === null) return undefined;
  return {
    putAt: storedTime(row.questionPutAt),
    expiresAt: storedTime(row.questionExpiresAt),
    answered: storedOneOf(answers, row.questionAnswered),
  };
}

function effect(value: unknown): Effect {
  const { title, does, forModel, forPerson, forDialog } = storedRecord(value);
  const { withheld } = storedRecord(forDialog);
  return {
    title: storedText(title),
    ...(does !== undefined && { does: storedOneOf(allDoes, does) }),
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
