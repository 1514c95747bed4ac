import { createHash, timingSafeEqual } from "node:crypto";
import { shownValue } from "../core/shared/text/visible.ts";
import { channelPlaces } from "../core/approvals/directions.ts";
import { mayDecide } from "../core/approvals/decide-ticket.ts";
import { formatSimilar } from "../core/policy/rules/allow-similar.ts";
import type { Secret } from "../core/shared/secret.ts";
import type { Ticket } from "../core/approvals/ticket.ts";
import { formatDecider, formatSpan, whoAsked } from "./words.ts";

/** The name and the secret of each approver. */
export type Approvers = readonly { name: string; secret: Secret }[];

/**
 * Returns the approver with this secret. Compares all of them in constant time, so that the duration reveals nothing.
 * Undefined if none matches.
 */
export function approverOf(given: string, approvers: Approvers): string | undefined {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  let found: string | undefined;
  for (const { name, secret } of approvers) {
    if (timingSafeEqual(digest(secret.reveal()), digest(given))) found = name;
  }
  return found;
}

/** Returns why this approver may not decide for this principal. Undefined if they may. */
export function objection(approver: string, principal: string): string | undefined {
  return mayDecide(approver, principal)
    ? undefined
    : `The approver ${approver} decides only for the caller ${approver}, and this belongs to ${principal}.`;
}

/** Compares a typed fingerprint without regard to case and dashes. */
export function isFingerprint(typed: string, fingerprint: string): boolean {
  const bare = (text: string): string => text.replaceAll(/[^a-z0-9]/gi, "").toUpperCase();
  return bare(typed) === bare(fingerprint);
}

/** Formats one request in full for the person who decides. Every value has been made visible already. */
export function formatTicket(ticket: Ticket, now: Date): string {
  const { headline, facts: found } = ticket.effect.forPerson;
  const facts: (readonly [string, string])[] = [
    ...found.map(({ label, value }) => [label, value] as const),
    ["who asked", whoAsked(ticket)],
    ["fingerprint", ticket.fingerprint],
    ["asked", `${formatSpan(ticket.createdAt, now)} ago`],
    ["state", formatState(ticket, now)],
    ...("error" in ticket && ticket.error !== undefined
      ? [["error", ticket.error.message] as const]
      : []),
  ];
  const similar = formatSimilar(ticket);
  if (similar !== undefined) facts.push(["similar calls", similar]);
  const width = Math.max(...facts.map(([label]) => label.length));
  return [
    headline,
    ...facts.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`),
    `  ${"request".padEnd(width)}  ${ticket.ticketId}`,
  ].join("\n");
}

/** Formats one request as a line: the effect, then its id. */
export function summarizeTicket(ticket: Ticket, now: Date): string {
  const { effect, ticketId, fingerprint } = ticket;
  return [
    effect.forPerson.headline,
    fingerprint,
    ticketId,
    formatState(ticket, now),
    `by ${whoAsked(ticket)}`,
  ].join("  ");
}

/**
 * Returns one request as data. It contains the rendering for the person, because it is for the person's own scripts.
 */
export function ticketToJson(ticket: Ticket): Record<string, unknown> {
  return {
    id: ticket.ticketId,
    status: ticket.status,
    tool: ticket.tool,
    principal: ticket.principal,
    client: ticket.client,
    fingerprint: ticket.fingerprint,
    createdAt: ticket.createdAt.toISOString(),
    expiresAt: ticket.expiresAt.toISOString(),
    headline: ticket.effect.forPerson.headline,
    effect: ticket.effect.forPerson.facts,
    ...("decision" in ticket && {
      decision: { ...ticket.decision, at: ticket.decision.at.toISOString() },
    }),
    ...("error" in ticket &&
      ticket.error !== undefined && {
        error: { kind: ticket.error.kind, message: ticket.error.message },
      }),
  };
}

function formatState(ticket: Ticket, now: Date): string {
  if (ticket.status === "pending") return `waits, ${formatSpan(now, ticket.expiresAt)} left`;
  if (!("decision" in ticket)) return ticket.status;
  const { decision } = ticket;
  const { verdict, note, mayAskAgain } = decision;
  const said = [
    ...(mayAskAgain ? ["may ask again with changes"] : []),
    ...(note === undefined ? [] : [`with the note ${shownValue(note)}`]),
  ];
  const decided = verdict === "approve" ? "approved" : "denied";
  // A rule has an id instead of a name.
  const by = decision.channel === "rule" ? "" : ` by ${formatDecider(decision)}`;
  return [
    ...(ticket.status === decided ? [] : [ticket.status]),
    `${decided}${by} ${channelPlaces[decision.channel]}`,
    ...said,
  ].join(", ");
}
