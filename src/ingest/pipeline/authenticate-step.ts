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
import type { MailInProgress, Step } from "./step.ts";
import { trustedResults } from "./trusted-results.ts";

export interface VerdictSettings {
  /** If undefined, no DNS lookups are made. */
  authenticator: MailAuthenticator | undefined;
  /** The host whose `Authentication-Results` are trusted. In lower case. */
  trustedHost: string | undefined;
  /** Recognises SMTP and LMTP peers that relay for this host. */
  isRelay: IsRelay;
}

/** How and when a message arrived. */
export type MessageArrival = Pick<MailInProgress, "smtp" | "arrival" | "receivedAt">;

/**
 * Age up to which signatures are checked. Signing keys are rotated and withdrawn, so a missing or bad signature on an
 * older message proves nothing. Milliseconds.
 */
const freshMs = 7 * 24 * 3_600_000;
/**
 * Each signature costs DNS lookups and a hash of the message. The longest real chains of lists and relays add about
 * six.
 */
const mostSignatures = 20;

/**
 * Headers that must occur only once. Of two copies, a mail program may show one, and the signature may cover the other.
 */
const once = ["from", "to", "subject", "date", "content-type", "content-transfer-encoding"];

const unverified: Authentication = { from: "unverified" };

/** Creates the function that checks whether the author's domain authenticates a message. */
export function senderVerdict(settings: VerdictSettings) {
  const { authenticator, trustedHost, isRelay } = settings;
  return async function verdict(mail: MessageArrival, given: Uint8Array): Promise<Authentication> {
    // The headers that people see must be checked.
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

/**
 * Creates the step that authenticates a message. It runs before parsing, because only forwards of an authenticated
 * owner show their original sender.
 */
export function authenticateStep({
  objects,
  ...settings
}: VerdictSettings & { objects: ObjectStore }): Step {
  const verdict = senderVerdict(settings);
  return {
    name: "authenticate",
    // Three attempts take about fifteen seconds. The DNS of another domain must not delay a message longer.
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
