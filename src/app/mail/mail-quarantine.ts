import { createMailAdmin } from "../../adapters/libsql/mail/mail-admin.ts";
import type { Config } from "../../config.ts";
import type { Log } from "../../core/shared/log.ts";
import type { senderVerdict } from "../../ingest/pipeline/authenticate-step.ts";
import type { QuarantinedMail } from "../../ports/mail/mail-admin.ts";
import { rawKey } from "../../ports/mail/mail-objects.ts";
import type { QuarantineEntry, MailQuarantine } from "../../ports/mail/mail-quarantine.ts";
import type { Stores } from "../compose/open/open-stores.ts";
import { audited } from "./audited.ts";

/** The page does not wait longer for DNS. Milliseconds, for all messages that it shows. */
const checksWithinMs = 4_000;

/** The page counts every three seconds. A larger number is shown as this one. */
const countedAtMost = 100;

/**
 * Returns the quarantine for people. Parser and authenticator are loaded at the first use and closed after each, so
 * that only a program whose page shows the quarantine loads them.
 */
export function createMailQuarantine(config: Config, stores: Stores, log: Log): MailQuarantine {
  const admin = createMailAdmin(stores.database);
  const { dns, trustedHost, trustedRelays } = config.ingest;
  const quarantined = (limit: number): Promise<readonly QuarantinedMail[]> =>
    admin.quarantined({ onlyConfirmations: false, limit });

  async function senderOf(
    { emailId, receivedAt }: QuarantinedMail,
    verdict: ReturnType<typeof senderVerdict>,
  ): Promise<QuarantineEntry["sender"]> {
    const { wholeObject } = await import("../../ingest/text/mail-text.ts");
    const stored = await admin.rawOf(emailId);
    const raw =
      stored && (await wholeObject(stores.objects, rawKey(stored.rawSha256), stored.rawBytes));
    if (raw === undefined) return undefined;
    return (await verdict({ ...stored, receivedAt }, raw)).from;
  }

  return {
    count: async () => (await quarantined(countedAtMost)).length,
    entries: async (limit) => {
      const mails = await quarantined(limit);
      if (mails.length === 0) return [];
      const [{ createMailAuthenticator }, { senderVerdict: verdictOf }, { readableMail }] =
        await Promise.all([
          import("../../adapters/mailauth/authenticator.ts"),
          import("../../ingest/pipeline/authenticate-step.ts"),
          import("./readable-mail.ts"),
        ]);
      const servers = typeof dns === "string" ? undefined : dns;
      const authenticator = dns === "off" ? undefined : createMailAuthenticator({ servers, log });
      const isRelay = (address: string): boolean => trustedRelays?.has(address) ?? false;
      const verdict = verdictOf({ authenticator, trustedHost, isRelay });
      let timer: ReturnType<typeof setTimeout> | undefined;
      const found: QuarantineEntry[] = [];
      try {
        const read: Omit<QuarantineEntry, "sender">[] = [];
        for (const mail of mails)
          read.push({ mail, readable: await readableMail(mail, { admin, stores }, "shown") });
        // From here, because a busy machine may read for longer than that.
        const late = new Promise<undefined>((resolve) => {
          timer = setTimeout(() => resolve(undefined), checksWithinMs);
        });
        for (const one of read) {
          const checked = senderOf(one.mail, verdict).catch(() => undefined);
          found.push({ ...one, sender: await Promise.race([checked, late]) });
        }
      } finally {
        clearTimeout(timer);
        await authenticator?.close();
      }
      return found;
    },
    release: async (emailId, { by, channel }) => {
      const { firstStep } = await import("../../ingest/pipeline/steps.ts");
      return await audited(
        stores.audit,
        {
          by,
          client: channel,
          tool: "mail release",
          sentence: `released ${emailId} from quarantine`,
        },
        () => admin.release(emailId, firstStep),
        (isReleased) => (isReleased ? "ok" : "conflict"),
      );
    },
  };
}
