import { userInfo } from "node:os";
import { decideTicket } from "../../core/approvals/decide-ticket.ts";
import type { OpenTicket, Verdict } from "../../core/approvals/ticket.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { isFingerprint } from "../../review/terminal.ts";
import type { CallRuntime } from "../compose/call-runtime.ts";
import type { Lines } from "./lines.ts";
import type { ChatPrinter } from "./printer.ts";

/** Answers before the question ends. The approval request stays open for a later decision. */
const maxTries = 3;

const question = 'Type the fingerprint to approve, "no" to deny, or Enter to decide later: ';
const later = "Nothing was decided. The request stays open: countersign approvals.";

/**
 * Asks the person in the middle of an answer, with the proof of the terminal channel: the typed fingerprint. A decision
 * at another approval channel ends the question.
 * @returns whether the request was decided
 */
export async function approveHere(
  ticket: OpenTicket,
  { stores, flow }: Pick<CallRuntime, "stores" | "flow">,
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
  const elsewhere = flow.watch
    .waitForEnd(ticketId, Math.max(0, expiresAt.getTime() - Date.now()), over)
    .then(() => {
      isOver = !over.aborted;
      asked.abort();
    });

  const decide = async (verdict: Verdict): Promise<boolean> => {
    try {
      const by = userInfo().username;
      await decideTicket(stores, ticketId, { verdict, channel: "terminal", by });
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
      if (isFingerprint(typed, fingerprint)) return await decide("approve");
      if (/^no?$/i.test(typed.trim())) return await decide("deny");
      printer.said("That is not its fingerprint. Nothing was decided.");
    }
    printer.said(later);
    return false;
  } finally {
    asked.abort();
    await elsewhere;
  }
}
