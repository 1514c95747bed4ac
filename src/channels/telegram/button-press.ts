import type { AuditRecord } from "../../core/audit/audit.ts";
import { decideTicket, mayDecide } from "../../core/approvals/decide-ticket.ts";
import { whyPaused } from "../../core/approvals/pause.ts";
import type { DecisionResult, Tickets } from "../../core/approvals/ticket.ts";
import { approveAndAllowSimilar } from "../../core/policy/rules/allow-similar.ts";
import type { RuleStore } from "../../core/policy/rules/rule-store.ts";
import { sha256Hex } from "../../core/shared/digest.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { Undo } from "../../ports/files/recent-changes.ts";
import type { ChangeMessages } from "../../ports/people/change-messages.ts";
import type { ChatAction, ChatRecord } from "../../ports/people/chat-record.ts";
import { formatMoment, formatOutcome } from "../words.ts";
import { type Pressed, createUndoPress } from "./undo-press.ts";

const belongsToNothing = "The request of this button no longer exists. Nothing was decided.";

export interface ButtonSettings {
  record: Pick<ChatRecord, "button" | "noteFor">;
  tickets: Tickets;
  audit: AuditRecord;
  rules: RuleStore;
  undo: Undo;
  changeMessages: Pick<ChangeMessages, "ended">;
  /** A request was decided, or a change undone. */
  onDecided: () => void;
}

/** A button that an approver pressed, with the data that Telegram returned for it. */
export interface ButtonPress {
  data: string;
  chatId: string;
  approver: string;
}

/** The words of a decision, as they are on the buttons. */
type Verdict = Exclude<ChatAction, "undo" | "similar">;

/**
 * Creates the function that carries out a press: a decision about a request, or an undo. Rejects only if a store is
 * unavailable.
 */
export function createButtonPress(
  settings: ButtonSettings & { clock: () => Date },
): (press: ButtonPress) => Promise<Pressed> {
  const { record, tickets, audit, rules, onDecided } = settings;
  const undoFor = createUndoPress(settings);

  async function decide(
    ticketId: string,
    verdict: Verdict,
    { chatId, approver }: ButtonPress,
  ): Promise<string> {
    const by = { channel: "telegram", by: approver } as const;
    if (verdict === "approve") {
      const result = await decideTicket({ tickets, audit }, ticketId, { verdict, ...by });
      return result.won ? "Approved." : alreadyDecided(result);
    }
    const note = await record.noteFor(ticketId, chatId);
    const result = await decideTicket({ tickets, audit }, ticketId, {
      verdict: "deny",
      ...(note !== undefined && { note }),
      ...(verdict === "again" && { mayAskAgain: true as const }),
      ...by,
    });
    return result.won ? formatDenial(result) : alreadyDecided(result);
  }

  async function allowSimilar(ticketId: string, by: string): Promise<string> {
    const decision = { channel: "telegram", by } as const;
    const result = await approveAndAllowSimilar({ tickets, audit, rules }, ticketId, decision);
    if (!result.won) return alreadyDecided(result);
    return result.rule === undefined
      ? "Approved. Similar calls are not allowed: the rule could not be stored."
      : `Approved. Similar calls are allowed until ${formatMoment(result.rule.expiresAt)}.`;
  }

  return async (press) => {
    const { data, chatId, approver } = press;
    const button = await record.button(sha256Hex(data), chatId);
    if (button?.action === "undo") {
      const said = await undoFor(approver, button.subjectId);
      onDecided();
      return said ?? belongsToNothing;
    }
    const ticket = button && (await tickets.find(button.subjectId));
    if (!button || !ticket || !mayDecide(approver, ticket.principal)) return belongsToNothing;
    try {
      const said =
        button.action === "similar"
          ? await allowSimilar(ticket.ticketId, approver)
          : await decide(ticket.ticketId, button.action, press);
      onDecided();
      return said;
    } catch (thrown) {
      if (!(thrown instanceof ToolError) || thrown.retryable) throw thrown;
      return [thrown.message, thrown.hint].join(" ");
    }
  };
}

function alreadyDecided({ ticket }: DecisionResult): string {
  return `Already decided. ${formatOutcome(ticket)}`;
}

function formatDenial({ ticket, pause }: DecisionResult): string {
  const hasNote = ticket.status === "denied" && ticket.decision.note !== undefined;
  return [
    "Denied. Nothing was done.",
    ...(hasNote ? ["Your note is sent to the assistant."] : []),
    ...(pause ? [`Paused, because ${whyPaused}. /start resumes.`] : []),
  ].join(" ");
}
