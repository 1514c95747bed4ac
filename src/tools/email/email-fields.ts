import { z } from "zod";
import { ours, untrustedText } from "../../core/tool/untrusted-text.ts";
import type { MailPerson, Sender } from "../../ports/mail/mail-reader.ts";
import { fitText } from "./fit-text.ts";

const name = untrustedText(z.string()).optional().describe("Name");
const address = untrustedText(z.string()).describe("Address");

export const emailId = ours(z.string().max(40)).describe("From search_emails");
export const sender = z.object({
  name,
  address,
  source: z.enum(["header", "forwarded"]).describe("Who names this sender"),
});
export const person = z.object({ name, address });
export const subject = untrustedText(z.string()).describe("Subject");
export const date = ours(z.string()).describe("ISO 8601");
export const untrusted = z.literal(true).describe("Untrusted text");

/** Token limits for one person. Longer names are not real names. */
const nameTokens = 24;
const addressTokens = 40;

export function shownPerson({ name: given, address: at }: MailPerson): MailPerson {
  return {
    ...(given !== undefined && { name: fitText(given, nameTokens) }),
    address: fitText(at, addressTokens),
  };
}

export function shownSender(from: Sender): Sender {
  return { ...shownPerson(from), source: from.source };
}

/** Formats `Ann <ann@example.org>`. */
export function formatPerson({
  name: given,
  address: at,
}: {
  name?: string | undefined;
  address: string;
}): string {
  if (given === undefined) return at === "" ? "(nobody)" : at;
  return at === "" ? given : `${given} <${at}>`;
}

/** Shortens a subject, or returns a placeholder if it is empty. */
export function shownSubject(given: string, tokens: number): string {
  return given === "" ? "(no subject)" : fitText(given, tokens);
}
