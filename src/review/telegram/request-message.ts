import { similarInWords } from "../../core/rules/allow-similar.ts";
import type { Ticket } from "../../core/ticket.ts";
import type { ChatButton, ChatMessage } from "../../ports/messenger.ts";
import { decisionInWords, moment, outcomeInWords, whoAsked } from "../words.ts";
import { type ChatLine, plainText } from "./plain-text.ts";

/** A request as a chat shows it, with the buttons that decide it, or with what became of it. */
export function requestMessage(
  ticket: Ticket,
  buttons: readonly (readonly ChatButton[])[] = [],
): ChatMessage {
  const { effect, tool, fingerprint } = ticket;
  const { headline, facts } = effect.forPerson;
  const similar = similarInWords(ticket);
  const lines: ChatLine[] = [
    { label: "", value: headline },
    "",
    ...outcome(ticket),
    { label: "fingerprint", value: fingerprint },
    { label: "tool", value: tool },
    { label: "who asked", value: whoAsked(ticket) },
    ...(similar === undefined ? [] : [{ label: "similar", value: similar }]),
    // Last: only these can be so many that some are left out.
    ...facts,
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
