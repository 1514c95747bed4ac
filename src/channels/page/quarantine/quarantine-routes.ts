import type { MailQuarantine } from "../../../ports/mail/mail-quarantine.ts";
import type { Visitor } from "../access.ts";
import type { Html } from "../layout.ts";
import { quarantineBody, quarantineNotice, releasePurpose } from "./quarantine-view.ts";

/** Messages per page, because each is parsed for it. */
const shownAtMost = 10;

/** All callers share the mail, so only a person who decides for all callers sees the quarantine. */
const sees = ({ principal }: Visitor): boolean => principal === undefined;

/** Returns the link to the quarantine. Undefined if this person may not see it or it is empty. */
export async function quarantineLine(
  mail: MailQuarantine | undefined,
  visitor: Visitor,
): Promise<Html | undefined> {
  if (mail === undefined || !sees(visitor)) return undefined;
  return quarantineNotice(visitor, await mail.count());
}

export async function quarantinePage(
  mail: MailQuarantine | undefined,
  visitor: Visitor,
): Promise<Html | undefined> {
  if (mail === undefined || !sees(visitor)) return undefined;
  const [entries, count] = await Promise.all([mail.entries(shownAtMost), mail.count()]);
  return quarantineBody(visitor, entries, count);
}

/**
 * Releases the message of a form. Returns false if the form is not from this page, or the person may not release mail.
 */
export async function releaseFromForm(
  mail: MailQuarantine | undefined,
  visitor: Visitor,
  form: { emailId: string; hasNonce: (purpose: string) => boolean },
): Promise<boolean> {
  if (mail === undefined || !sees(visitor)) return false;
  if (!form.hasNonce(releasePurpose(form.emailId))) return false;
  await mail.release(form.emailId, { by: visitor.name, channel: "page" });
  return true;
}
