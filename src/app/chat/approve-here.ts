import { decideTicket } from "../../core/approvals/decide-ticket.ts";
import type { Decision, OpenTicket } from "../../core/approvals/ticket.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { isFingerprint } from "../../channels/terminal.ts";
import type { CallRuntime } from "../compose/call-runtime.ts";
import type { Lines } from "./lines.ts";
import type { ChatPrinter } from "./printer.ts";
import { ownCommand } from "../platform/own-command.ts";
import { userName } from "../platform/this-user.ts";

/** The decision that was typed. */
type Typed = Pick<Decision, "verdict" | "note" | "mayAskAgain">;

/** The question ends after this many wrong answers. The approval request stays open for a later decision. */
const maxTries = 3;

const question =
  'Type the fingerprint to approve, "no" to deny, "again" to deny but let the assistant ask again with changes, or Enter to decide later. A sentence for the assistant may follow "no" or "again": ';

/** A denial, with an optional sentence: `no`, `no, at 18:00 instead`, `again: at 18:00`. */
const denial = /^(no?|again)(?:[\s,:]+(.*))?$/is;
const later = (): string =>
  `Nothing was decided. The request stays open: ${ownCommand()} approvals`;

/**
 * Asks the person in the middle of an answer, with the proof of the terminal channel: the typed fingerprint. A decision
 * at another approval channel ends the question.
 * @returns whether the request was decided
 */
export async function approveHere(
  ticket: OpenTicket,
  { stores, broker }: Pick<CallRuntime, "stores" | "broker">,
  { lines, printer, signal }: { lines: Lines; printer: ChatPrinter; signal: AbortSignal },
): Promise<boolean> {
  const { ticketId, fingerprint, expiresAt } = ticket;
  if (ticket.status !== "pending") return true;
  printer.asked(ticket);
  if (!ticket.channels.includes("terminal")) {
    printer.said("Your policy does not allow this decision in a terminal.");
    return false;
  }
  const asked = new AbortController();
  const over = AbortSignal.any([asked.signal, signal]);
  let isOver = false;
  const elsewhere = broker.watch
    .waitForEnd(ticketId, Math.max(0, expiresAt.getTime() - Date.now()), over)
    .then(() => {
      isOver = !over.aborted;
      asked.abort();
    });

  const decide = async (said: Typed): Promise<boolean> => {
    try {
      const by = userName();
      await decideTicket(stores, ticketId, { ...said, channel: "terminal", by });
      return true;
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      printer.said([error.message, error.hint ?? ""].join(" ").trim());
      return false;
    }
  };

  try {
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const typed = await lines.ask(question, { signal: over, isFresh: true });
      if (typed === undefined && isOver) {
        printer.said("\nThe request was decided elsewhere, or it expired.");
        return true;
      }
      if (typed === undefined || typed.trim() === "") break;
      if (isFingerprint(typed, fingerprint)) return await decide({ verdict: "approve" });
      const [denied, word, note] = denial.exec(typed.trim()) ?? [];
      if (denied !== undefined) {
        const mayAskAgain = word?.toLowerCase() === "again";
        return await decide({
          verdict: "deny",
          ...(note !== undefined && { note }),
          ...(mayAskAgain && { mayAskAgain }),
        });
      }
      printer.said("The fingerprint does not match. Nothing was decided.");
    }
    printer.said(later());
    return false;
  } finally {
    asked.abort();
    await elsewhere;
  }
}
