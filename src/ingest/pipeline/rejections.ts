import { createHash } from "node:crypto";
import { base32 } from "../../core/shared/digest.ts";
import type { RejectionNotes, RejectedMail } from "../../ports/mail/rejected-mail.ts";
import type { Receipt } from "../../ports/mail/mail-store.ts";
import { scanHeaders } from "../mime/headers.ts";
import { mailLimits } from "./limits.ts";
import { shownWords } from "./quarantine.ts";

/** Writes notes of messages that an intake rejected, for people. */
export interface Rejections {
  /** Writes a note of a rejected message. Returns false, without a note, if the message no longer exists. */
  reject(mail: RejectedMail): Promise<boolean>;
  /** Removes the note of an earlier rejection, because the message has now been accepted. */
  forget(message: Uint8Array, intake: Receipt["intake"]): Promise<void>;
}

export function createRejections(store: RejectionNotes): Rejections {
  return {
    reject: async ({ id, beginning, ...mail }) => {
      const found = await beginning(mailLimits.rejectedBytes);
      if (found === undefined) return false;
      // Some servers ignore ranges and return more.
      const head = found.subarray(0, mailLimits.rejectedBytes);
      const rejectionId = rejectionIdOf(mail.intake, head.length === 0 ? id : head);
      await store.note({ ...mail, rejectionId, ...shownWords(scanHeaders(head)) });
      return true;
    },
    forget: async (message, intake) => {
      await store.remove(rejectionIdOf(intake, message.subarray(0, mailLimits.rejectedBytes)));
    },
  };
}

/**
 * Computes the id from the beginning of the message, because an intake may give the same message another name next
 * time.
 */
function rejectionIdOf(intake: string, beginning: string | Uint8Array): string {
  const digest = createHash("sha256").update(`${intake}\0`).update(beginning).digest();
  return `rf_${base32(digest).slice(0, 26)}`;
}
