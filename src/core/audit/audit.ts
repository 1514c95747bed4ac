import { type KeyObject, createHmac } from "node:crypto";
import type { Risk } from "../policy/risk.ts";

export type AuditEventType = "called" | "refused" | "asked" | "decided" | "started" | "finished";

/**
 * One event of the audit record. Events of one call share `callId`. A low-risk call is one `called` event with its
 * outcome. Other calls have `started` and `finished`.
 */
export interface AuditEvent {
  type: AuditEventType;
  at: Date;
  callId: string;
  ticketId?: string | undefined;
  principal: string;
  client: string;
  tool: string;
  risk?: Risk | undefined;
  /** SHA-256 over tool and parsed arguments. */
  digest?: string | undefined;
  /** A sentence for people, written by the tool. */
  sentence?: string | undefined;
  /** `ok`, an error kind, or a verdict with its approval channel and approver. */
  outcome?: string | undefined;
  /**
   * SHA-256 over the facts that an approval request binds (`asked`), or over the end of its run (`finished`). See
   * request-content.ts.
   */
  content?: string | undefined;
}

/** The audit record: events in order, chained by a MAC whose key is not in the database. Events are only added. */
export interface AuditRecord {
  /** Resolves when the event is durable. If it rejects with `unavailable`, the announced effect must not happen. */
  append(event: AuditEvent): Promise<void>;
  /**
   * Adds the event of a low-risk call. It is durable within 100 ms, together with others, and before `close` resolves.
   */
  enqueue(event: AuditEvent): void;
  /**
   * Returns undefined if the queue has room. Otherwise the promise resolves when there is room, or rejects with
   * `unavailable`. The call must then fail, because it would be missing from the record.
   */
  backpressure(): Promise<void> | undefined;
  /** Resolves when all queued events are durable. */
  flush(): Promise<void>;
}

/**
 * Records a decision that is already durable elsewhere, so a failure to record it is not an error. The event is queued
 * and written when the record works again.
 */
export async function recordBestEffort(audit: AuditRecord, event: AuditEvent): Promise<void> {
  try {
    await audit.append(event);
  } catch {
    audit.enqueue(event);
  }
}

/** An event as stored and signed: fields in a fixed order, time in milliseconds since 1970. */
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
  ...content: string[],
];

export function listed(event: AuditEvent): ListedEvent {
  const { type, at, callId, ticketId, principal, client, tool, risk } = event;
  const { digest, sentence, outcome, content } = event;
  const time = at.getTime();
  const fields = [principal, client, tool, risk, digest, sentence, outcome] as const;
  // Most events have no content, and a list without it.
  if (content === undefined) return [type, time, callId, ticketId, ...fields];
  return [type, time, callId, ticketId, ...fields, content];
}

/**
 * Returns the JSON text that the MAC signs. The fields are a list, because its JSON form needs no canonical order. NUL
 * and lone surrogates are replaced, because the database cannot return them unchanged.
 */
export function auditJson(event: ListedEvent): string {
  const [type, at, ...others] = event;
  const timed: readonly (string | undefined)[] = [type, new Date(at).toISOString(), ...others];
  const json = JSON.stringify(timed);
  if (!json.includes("\\u") || !/\\u(?:0000|d[89a-f])/.test(json)) return json;
  const tidied = timed.map((text) => text?.toWellFormed().replaceAll("\0", "\u{FFFD}"));
  return JSON.stringify(tidied);
}

/**
 * Returns the MAC that links event `seq` to the one before it. Editing, removing or reordering an event breaks all
 * later links, and a new chain needs the key.
 * @param json the event as `auditJson` returns it
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
