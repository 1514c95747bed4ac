import { type KeyObject, createHmac } from "node:crypto";
import type { Risk } from "../policy/risk.ts";

export type AuditEventType = "called" | "refused" | "asked" | "decided" | "started" | "finished";

/**
 * One thing that happened, in the words of PRODUCT section 3. Events of one call share `callId`. A low-risk call is one
 * `called` with its outcome; of a medium one there are `started` and `finished`.
 */
export interface AuditEvent {
  type: AuditEventType;
  at: Date;
  callId: string;
  ticketId?: string;
  principal: string;
  client: string;
  tool: string;
  risk?: Risk;
  /** Over tool and parsed arguments. */
  digest?: string;
  /** One sentence for people, made by the tool. */
  sentence?: string;
  /** `ok`, an error kind, a verdict with its approval channel and approver. */
  outcome?: string;
}

/** The events, kept in order and chained by a MAC whose key is not in the database. Nothing is ever edited or removed. */
export interface AuditLog {
  /** Resolves when the event is durable. Rejects with `unavailable`: then what it announces must not happen. */
  append(event: AuditEvent): Promise<void>;
  /** For low-risk calls: durable within 100 ms, in a group, and before `close` resolves. */
  enqueue(event: AuditEvent): void;
  /**
   * Undefined while there is room for more notes. Otherwise resolves when there is, or rejects with `unavailable`: then a
   * call that cannot be recorded must not be made.
   */
  backpressure(): Promise<void> | undefined;
  /** Resolves when all that was noted is durable. */
  flush(): Promise<void>;
}

/**
 * Records what has been decided already, and is durable elsewhere: a log that cannot be written now must not make it look
 * undone. The event is kept and written when the log is back.
 */
export async function recordBestEffort(audit: AuditLog, event: AuditEvent): Promise<void> {
  try {
    await audit.append(event);
  } catch {
    audit.enqueue(event);
  }
}

/** An event in a fixed order, with its time in milliseconds since 1970: what is written down, and what the MAC is over. */
export type ListedEvent = readonly [
  type: AuditEventType,
  at: number,
  callId: string,
  ticketId: string | undefined,
  principal: string,
  client: string,
  tool: string,
  risk: Risk | undefined,
  digest: string | undefined,
  sentence: string | undefined,
  outcome: string | undefined,
];

export function listed(event: AuditEvent): ListedEvent {
  const { type, at, callId, ticketId, principal, client, tool, risk } = event;
  const { digest, sentence, outcome } = event;
  const time = at.getTime();
  return [type, time, callId, ticketId, principal, client, tool, risk, digest, sentence, outcome];
}

/**
 * The event as the MAC is over it. A list has one JSON form, so no canonical one has to be looked for. All of it can be read
 * back from the database as it is, which keeps neither NUL nor half a surrogate pair.
 */
export function auditJson([type, at, ...rest]: ListedEvent): string {
  const time = new Date(at).toISOString();
  const json = JSON.stringify([type, time, ...rest]);
  if (!json.includes("\\u") || !/\\u(?:0000|d[89a-f])/.test(json)) return json;
  const tidied = rest.map((text) => text?.toWellFormed().replaceAll("\0", "\u{FFFD}"));
  return JSON.stringify([type, time, ...tidied]);
}

/**
 * The link of event number `seq` to the one before it. Editing, removing or reordering any event breaks every later link;
 * without the key nobody can make a new chain.
 * @param json the event, as `auditJson` makes it
 */
export function auditMac(
  key: Uint8Array | KeyObject,
  previousMac: string,
  seq: number,
  json: string,
): string {
  const body = `[${JSON.stringify(previousMac)},${seq},${json.slice(1)}`;
  return createHmac("sha256", key).update(body).digest("hex");
}
