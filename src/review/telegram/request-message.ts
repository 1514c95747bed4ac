import { similarInWords } from "../../core/rules/allow-similar.ts";
import type { Ticket } from "../../core/ticket.ts";
import type { ChatButton, ChatMessage } from "../../ports/messenger.ts";
import { decisionInWords, moment, outcomeInWords } from "../words.ts";
import { type ChatLine, plainText } from "./plain-text.ts";

/** A request as a chat shows it, with the buttons that decide it, or with what became of it. */
export function requestMessage(
  ticket: Ticket,
  buttons: readonly (readonly ChatButton[])[] = [],
): ChatMessage {
  const { effect, client, principal, tool, fingerprint } = ticket;
  const similar = similarInWords(ticket);
  const lines: ChatLine[] = [
    ...outcome(ticket),
    effect.title,
    { label: "who asked", value: `${client} (${principal})` },
    { label: "tool", value: tool },
    { label: "fingerprint", value: fingerprint },
    ...(similar === undefined ? [] : [{ label: "similar", value: similar }]),
    // Last: only these can be so many that some are left out.
    ...effect.forPerson,
  ];
  return { ...plainText(lines), buttons };
}

function outcome(ticket: Ticket): ChatLine[] {
  if (ticket.status === "pending")
    return [`Countersign asks for your approval, until ${moment(ticket.expiresAt)}.`, ""];
  return [
    { label: "", value: outcomeInWords(ticket) },
    ...("decision" in ticket ? [{ label: "", value: decisionInWords(ticket.decision) }] : []),
    "",
  ];
}
