import { formatSimilar } from "../../core/policy/rules/allow-similar.ts";
import type { Ticket } from "../../core/approvals/ticket.ts";
import type { ChatButton, MessengerMessage } from "../../ports/people/messenger.ts";
import { formatDecision, formatMoment, formatOutcome, whoAsked } from "../words.ts";
import { type ChatLine, plainText } from "./plain-text.ts";

/** Formats a request with its buttons, or with its outcome. */
export function requestMessage(
  ticket: Ticket,
  buttons: readonly (readonly ChatButton[])[] = [],
): MessengerMessage {
  const { effect, tool, fingerprint } = ticket;
  const { headline, facts } = effect.forPerson;
  const similar = formatSimilar(ticket);
  const lines: ChatLine[] = [
    { label: "", value: headline },
    "",
    ...outcome(ticket),
    { label: "fingerprint", value: fingerprint },
    { label: "tool", value: tool },
    { label: "who asked", value: whoAsked(ticket) },
    ...(similar === undefined ? [] : [{ label: "similar", value: similar }]),
    // The facts come last, because only they can be so many that some are left out. A label can be an argument's name,
    // which the assistant chose: it is quoted too, so that it is neither a link nor a sentence of ours.
    ...facts.map(({ label, value }) => ({ label: "", value: `${label}: ${value}` })),
  ];
  return { ...plainText(lines), buttons };
}

function outcome(ticket: Ticket): ChatLine[] {
  if (ticket.status === "pending")
    return [
      `Countersign asks for your approval, until ${formatMoment(ticket.expiresAt)}.`,
      "To tell the assistant what to do instead, reply to this message, then press Deny.",
      "",
    ];
  return [
    { label: "", value: formatOutcome(ticket) },
    ...("decision" in ticket ? [{ label: "", value: formatDecision(ticket.decision) }] : []),
    "",
  ];
}
