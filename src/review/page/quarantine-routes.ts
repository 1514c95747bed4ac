import type { MailReview } from "../../ports/mail/mail-review.ts";
import type { Visitor } from "./access.ts";
import type { Html } from "./layout.ts";
import { quarantineBody, quarantineNotice, releasePurpose } from "./quarantine-view.ts";

/** Messages on the page: each is parsed for it. */
const shownAtMost = 10;

/** Mail is everybody's on an instance: only who decides for everybody decides about it. */
const sees = ({ principal }: Visitor): boolean => principal === undefined;

/** The line that leads to the quarantine; undefined if this person has none to look at. */
export async function quarantineLine(
  mail: MailReview | undefined,
  visitor: Visitor,
): Promise<Html | undefined> {
  if (mail === undefined || !sees(visitor)) return undefined;
  return quarantineNotice(visitor, await mail.count());
}

export async function quarantinePage(
  mail: MailReview | undefined,
  visitor: Visitor,
): Promise<Html | undefined> {
  if (mail === undefined || !sees(visitor)) return undefined;
  const [held, count] = await Promise.all([mail.held(shownAtMost), mail.count()]);
  return quarantineBody(visitor, held, count);
}

/** False for a form that is not one of this page, or for somebody who may not. */
export async function releaseFromForm(
  mail: MailReview | undefined,
  visitor: Visitor,
  form: { emailId: string; hasNonce: (purpose: string) => boolean },
): Promise<boolean> {
  if (mail === undefined || !sees(visitor)) return false;
  if (!form.hasNonce(releasePurpose(form.emailId))) return false;
  await mail.release(form.emailId, { by: visitor.name, channel: "page" });
  return true;
}
