import type { AuditRecord } from "../../../core/audit/audit.ts";
import { decideTicket, mayDecide } from "../../../core/approvals/decide-ticket.ts";
import type { Ticket, Tickets } from "../../../core/approvals/ticket.ts";
import { approveAndAllowSimilar } from "../../../core/policy/rules/allow-similar.ts";
import type { RuleStore } from "../../../core/policy/rules/rule-store.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import { type Visitor, hasNonce, isSame } from "../access.ts";
import { type Said, decisionIn } from "../read-form.ts";
import { decidePurpose, mayBeSelected } from "./selection-view.ts";

/** Requests that one form or address may name. */
export const namedAtMost = 200;

/** The stores with which a request is decided. */
export interface DecisionStores {
  tickets: Tickets;
  audit: AuditRecord;
  rules: RuleStore;
}

/** The decided requests of a form: those that this form decided, and those that were decided before. */
export interface DecidedRequests {
  seen: string[];
  late: string[];
}

/** Returns a request that this visitor may see. A request of another caller counts as absent. */
export async function visibleRequest(
  tickets: Pick<Tickets, "find">,
  visitor: Visitor,
  id: string | undefined,
): Promise<Ticket | undefined> {
  const ticket = id === undefined ? undefined : await tickets.find(id);
  const may = visitor.principal === undefined || mayDecide(visitor.name, ticket?.principal ?? "");
  return may ? ticket : undefined;
}

/** Decides the one request of a form. Undefined if the form is not from this page. */
export async function decideFromForm(
  stores: DecisionStores,
  visitor: Visitor,
  form: URLSearchParams,
): Promise<DecidedRequests | undefined> {
  const id = form.get("request") ?? undefined;
  const ticket = await visibleRequest(stores.tickets, visitor, id);
  if (ticket === undefined || !hasNonce(form, visitor, decidePurpose(ticket.ticketId)))
    return undefined;
  const { ticketId } = ticket;
  const channel = { channel: "page", by: visitor.name } as const;
  const said = decisionIn(form);
  const isSimilar = form.get("verdict") === "similar";
  if (said === undefined && !isSimilar) return undefined;
  const { won } =
    said === undefined
      ? await approveAndAllowSimilar(stores, ticketId, channel)
      : await decideTicket(stores, ticketId, { ...said, ...channel });
  return won ? { seen: [ticketId], late: [] } : { seen: [], late: [ticketId] };
}

/**
 * Decides every ticked request of a form with the proof of its own box. Undefined if one proof is not from this page,
 * which invalidates the whole form.
 */
export async function decideTicked(
  stores: DecisionStores,
  visitor: Visitor,
  form: URLSearchParams,
): Promise<DecidedRequests | undefined> {
  const said = decisionIn(form);
  if (said === undefined) return undefined;
  const ticketIds: string[] = [];
  for (const proof of new Set(form.getAll("ticked").slice(0, namedAtMost))) {
    const [ticketId = "", nonce = ""] = proof.split(" ");
    const ticket = await visibleRequest(stores.tickets, visitor, ticketId);
    const isOurs = isSame(nonce, visitor.nonce(decidePurpose(ticketId)));
    if (ticket === undefined || !isOurs || !mayBeSelected(ticket)) return undefined;
    ticketIds.push(ticketId);
  }
  const decided: DecidedRequests = { seen: [], late: [] };
  for (const ticketId of ticketIds) {
    const isDecided = await decideOne(stores, ticketId, said, visitor);
    decided[isDecided ? "seen" : "late"].push(ticketId);
  }
  return decided;
}

/** Decides one request. Returns false if another decision came first. The other requests are decided in any case. */
async function decideOne(
  stores: DecisionStores,
  ticketId: string,
  said: Said,
  { name: by }: Visitor,
): Promise<boolean> {
  try {
    return (await decideTicket(stores, ticketId, { ...said, channel: "page", by })).won;
  } catch (thrown) {
    if (!(thrown instanceof ToolError)) throw thrown;
    return false;
  }
}
