import type { MailAuthenticator } from "../../ports/mail/mail-authenticator.ts";
import type { Authentication } from "../../ports/mail/mail-reader.ts";
import type { ObjectStore } from "../../ports/files/objects.ts";
import {
  dateOf,
  grouped,
  headerLines,
  type Headers,
  soleAuthor,
  withoutBlankTop,
} from "../mime/headers.ts";
import { rawOf } from "../text/mail-text.ts";
import { fromOutside, type IsRelay, isThroughOwnServer } from "./peers.ts";
import type { MailInHand, Step } from "./step.ts";
import { trustedResults } from "./trusted-results.ts";

export interface VerdictSettings {
  /** Undefined: nothing is looked up. */
  authenticator: MailAuthenticator | undefined;
  /** Whose `Authentication-Results` are believed. In lower case. */
  trustedHost: string | undefined;
  /** Peers over SMTP and LMTP that hand over what this host has looked at. */
  isRelay: IsRelay;
}

/** How and when a message came. */
export type Arrival = Pick<MailInHand, "smtp" | "arrival" | "receivedAt">;

/** Keys are renewed and old ones withdrawn: an old message without a good signature means nothing. */
const freshMs = 7 * 24 * 3_600_000;
/** Each costs lookups and a hash of the message; the longest chains of lists and relays have some six. */
const mostSignatures = 20;

/** A second one of these may be what people see while the signature is about the first. */
const once = ["from", "to", "subject", "date", "content-type", "content-transfer-encoding"];

const unverified: Authentication = { from: "unverified" };

/** Finds out whether the author's domain vouches for a message. */
export function senderVerdict(settings: VerdictSettings) {
  const { authenticator, trustedHost, isRelay } = settings;
  return async function verdict(mail: Arrival, given: Uint8Array): Promise<Authentication> {
    // Judged by the headers that people see.
    const raw = withoutBlankTop(given);
    const session = mail.smtp && fromOutside(mail.smtp, isRelay);
    const lines = headerLines(raw);
    const headers = grouped(lines);
    const author = soleAuthor(headers);
    const isBelieved = mail.arrival !== undefined && isThroughOwnServer(mail.arrival, isRelay);
    const trusted =
      trustedHost === undefined || !isBelieved
        ? undefined
        : trustedResults(lines, trustedHost, author);
    if (trusted !== undefined) return trusted;
    if (authenticator === undefined || author === undefined || !/@[^@]+\.[^@]+$/.test(author))
      return unverified;
    const isNew = mail.smtp !== undefined || isFresh(headers, mail.receivedAt);
    const isSigned = isNew && isUnambiguous(headers) && hasFew(headers, "dkim-signature");
    const sealer = isUnambiguous(headers) && hasFew(headers, "arc-seal") ? trustedHost : undefined;
    const message = { raw, author, isSigned, session, sealer };
    const { authentication, sealedResults } = await authenticator.authenticate(message);
    const sealed = sealedResults && [["authentication-results", sealedResults] as const];
    const found = sealed && trustedHost && trustedResults(sealed, trustedHost, author);
    return found || authentication;
  };
}

/** Before parsing: whose forward is unwrapped depends on the verdict. */
export function authenticateStep({
  objects,
  ...settings
}: VerdictSettings & { objects: ObjectStore }): Step {
  const verdict = senderVerdict(settings);
  return {
    name: "authenticate",
    // Some fifteen seconds: nobody should wait longer for a message because of somebody else's DNS.
    attempts: 3,
    isCheckpoint: false,
    run: async (mail) => {
      const raw = await rawOf(objects, mail);
      return { raw, authentication: await verdict(mail, raw) };
    },
    otherwise: () => Promise.resolve({ authentication: unverified }),
  };
}

function isUnambiguous(headers: Headers): boolean {
  return once.every((name) => (headers.get(name)?.length ?? 0) < 2);
}

function hasFew(headers: Headers, name: string): boolean {
  const count = headers.get(name)?.length ?? 0;
  return count > 0 && count <= mostSignatures;
}

function isFresh(headers: Headers, receivedAt: Date): boolean {
  const date = dateOf(headers.get("date")?.[0], receivedAt);
  return date !== undefined && date.getTime() > receivedAt.getTime() - freshMs;
}
