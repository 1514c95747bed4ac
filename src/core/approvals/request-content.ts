import { canonicalJson, sha256Hex } from "../shared/digest.ts";
import type { RunEnd, TicketRequest } from "./ticket.ts";

/** Returns the digest of the facts that an approval request binds: what a person is shown, and what a run uses. */
export function requestContent(request: TicketRequest): string {
  const { ticketId, principal, tool, risk, args, digest, target, actsOn, effect } = request;
  const { fingerprint, client, configHash, channels, similar } = request;
  return digestOf([
    [ticketId, principal, tool, risk, args, digest, target, actsOn],
    [effect, fingerprint, client, configHash, channels, similar],
  ]);
}

/** Returns the digest of the end of a run: its result or its error. */
export function endContent(end: RunEnd): string {
  return digestOf(end.status === "done" ? ["done", end.output] : [end.status, end.error]);
}

/** Returns the digest of the JSON form of a value, because that is what a store returns. */
function digestOf(value: unknown): string {
  return sha256Hex(canonicalJson(JSON.parse(JSON.stringify(value))));
}
