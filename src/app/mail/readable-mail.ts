import { createParser } from "../../ingest/mime/parser.ts";
import { wholeObject } from "../../ingest/text/mail-text.ts";
import type { AdminMail, MailAdmin } from "../../ports/mail/mail-admin.ts";
import { rawKey } from "../../ports/mail/mail-objects.ts";
import type { ReadableMail } from "../../ports/mail/mail-quarantine.ts";
import type { Stores } from "../compose/open/open-stores.ts";

/** A longer text is not a letter to be read in a terminal. Bytes. */
const mostBytes = 10_000_000;

/**
 * Returns the readable text and the attachments of a message for the person who runs this instance. A quarantined
 * message has not been parsed yet, so a thread parses it now with its own deadline. Undefined if its bytes are not
 * stored here.
 * @param codes `shown` parses the raw message, the only place that has the hidden sign-in codes
 */
export async function readableMail(
  { emailId, state, receivedAt }: AdminMail,
  { admin, stores }: { admin: MailAdmin; stores: Pick<Stores, "mail" | "objects"> },
  codes: "hidden" | "shown",
): Promise<ReadableMail | undefined> {
  if (state === "searchable" && codes === "hidden") {
    const { text, attachments } = await stores.mail.read(emailId, { offset: 0, length: mostBytes });
    return { text: utf8(text.window), attachments };
  }
  const stored = await admin.rawOf(emailId);
  const raw =
    stored && (await wholeObject(stores.objects, rawKey(stored.rawSha256), stored.rawBytes));
  if (raw === undefined) return undefined;
  const parser = createParser({ threads: 1, hidesCodes: codes === "hidden" });
  try {
    const outcome = await parser.parse(raw, receivedAt);
    if (outcome.kind !== "parsed") return { text: utf8(raw), attachments: [] };
    const { envelope, attachments, text: bytes } = outcome.mail;
    const text = utf8(bytes);
    // Many codes are in the subject, which is stored without them.
    return {
      text: state === "searchable" ? `Subject: ${envelope.subject}\n\n${text}` : text,
      attachments,
    };
  } finally {
    await parser.close();
  }
}

const utf8 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf-8");
