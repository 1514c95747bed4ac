import { createHash } from "node:crypto";
import { base32 } from "../../core/shared/digest.ts";
import type { MailRefusals, RejectedMail } from "../../ports/mail/rejected-mail.ts";
import type { Receipt } from "../../ports/mail/mail-store.ts";
import { scanHeaders } from "../mime/headers.ts";
import { mailLimits } from "./limits.ts";
import { shownWords } from "./quarantine.ts";

/** Tells people of messages that an intake cannot take. */
export interface Refusals {
  /** Makes a note of it; false where it is gone, and then there is none. */
  refuse(mail: RejectedMail): Promise<boolean>;
  /** It was taken: that it was refused before, if it was, is no news any more. */
  taken(message: Uint8Array, intake: Receipt["intake"]): Promise<void>;
}

export function createRefusals(store: MailRefusals): Refusals {
  return {
    refuse: async ({ id, beginning, ...mail }) => {
      const found = await beginning(mailLimits.refusedBytes);
      if (found === undefined) return false;
      // Some servers know no ranges and give more.
      const head = found.subarray(0, mailLimits.refusedBytes);
      const refusalId = refusalIdOf(mail.intake, head.length === 0 ? id : head);
      await store.note({ ...mail, refusalId, ...shownWords(scanHeaders(head)) });
      return true;
    },
    taken: async (message, intake) => {
      await store.remove(refusalIdOf(intake, message.subarray(0, mailLimits.refusedBytes)));
    },
  };
}

/** By how it begins: whoever is asked for the same message a second time may name it otherwise. */
function refusalIdOf(intake: string, beginning: string | Uint8Array): string {
  const digest = createHash("sha256").update(`${intake}\0`).update(beginning).digest();
  return `rf_${base32(digest).slice(0, 26)}`;
}
