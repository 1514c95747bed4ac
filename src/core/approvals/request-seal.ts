import { createHmac, timingSafeEqual } from "node:crypto";
import { canonicalJson } from "../shared/digest.ts";
import type { Decision } from "./ticket.ts";

/** A step of a request that a seal confirms: it was asked, decided, or ended. */
export type SealedStep = "asked" | "decided" | "ended";

/**
 * Returns the seal of a step, which is written together with the step. The event of the step is written a moment later,
 * and is missing if the process ends between the two. A seal shows that this program made the step.
 * @param content what the step wrote: a digest of request-content.ts, or `decisionContent`
 */
export type RequestSealer = (step: SealedStep, ticketId: string, content: string) => string;

/** Creates the sealer. @param key the key of the audit record */
export function createRequestSealer(key: Uint8Array): RequestSealer {
  // The purpose is part of the signed text, so a seal cannot equal the MAC of an event.
  return (step, ticketId, content) =>
    createHmac("sha256", key)
      .update(JSON.stringify(["countersign request", step, ticketId, content]))
      .digest("hex");
}

/** Returns whether one of the keys made the seal. */
export function isSealedBy(
  keys: Iterable<Uint8Array>,
  seal: string | undefined,
  ...sealed: Parameters<RequestSealer>
): boolean {
  const given = Buffer.from(seal ?? "");
  for (const key of keys) {
    const expected = Buffer.from(createRequestSealer(key)(...sealed));
    if (given.length === expected.length && timingSafeEqual(given, expected)) return true;
  }
  return false;
}

/** Returns the text of a decision that is sealed. */
export function decisionContent(decision: Omit<Decision, "at">): string {
  const { verdict, channel, by, note, mayAskAgain } = decision;
  return canonicalJson([verdict, channel, by, note ?? null, mayAskAgain === true]);
}
