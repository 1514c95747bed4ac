import { openS3ObjectStore } from "../../adapters/s3/object-store.ts";
import type { Config } from "../../config.ts";
import type { Log } from "../../core/shared/log.ts";
import type { AcceptMessage } from "../../ingest/pipeline/accept-message.ts";
import type { Rejections } from "../../ingest/pipeline/rejections.ts";
import type { RejectedMail } from "../../ports/mail/rejected-mail.ts";

/** Returns the configured sources of mail, for messages at a start. */
export function mailPlaces({ imap, s3, ingest }: Config): string[] {
  return [
    ...(imap === undefined ? [] : [`${imap.mailbox} of ${imap.username} at ${imap.host}`]),
    ...(s3 === undefined || ingest.bucketPrefix === undefined
      ? []
      : [`${ingest.bucketPrefix} in the bucket ${s3.bucket}`]),
  ];
}

/** Returns a test for each source of mail, or undefined if it is not configured. */
export function mailChecks({ imap, s3, ingest }: Config, log: Log) {
  const { maxBytes, bucketPrefix } = ingest;
  return {
    imap:
      imap &&
      (async () => {
        const { imapMailbox } = await import("../../adapters/imap/mailbox.ts");
        await imapMailbox({ ...imap, maxBytes }).check();
      }),
    bucket:
      s3 === undefined || bucketPrefix === undefined
        ? undefined
        : async () => {
            const objects = openS3ObjectStore({ ...s3, prefix: bucketPrefix, log });
            try {
              await objects.check();
            } finally {
              await objects.close();
            }
          },
  };
}

/** Fetches mail from every configured source. */
export async function fetchMail(
  config: Config,
  { keep, rejections }: { keep: AcceptMessage; rejections: Rejections },
  log: Log,
): Promise<{ close(): Promise<void> }> {
  const { imap, s3, ingest } = config;
  const { maxBytes, bucketPrefix } = ingest;
  const open: { close(): Promise<void> }[] = [];
  if (imap !== undefined || bucketPrefix !== undefined) {
    const { startFetching } = await import("../../intake/fetch.ts");
    const settings = {
      maxBytes,
      keep: async (...[message, arrival]: Parameters<AcceptMessage>) => {
        await keep(message, arrival);
        await rejections.forget(message, arrival.intake);
      },
      reject: (mail: RejectedMail) => rejections.reject(mail),
      log,
    };
    if (imap !== undefined) {
      const { imapMailbox } = await import("../../adapters/imap/mailbox.ts");
      open.push(startFetching({ ...settings, place: imapMailbox({ ...imap, maxBytes }) }));
    }
    if (s3 !== undefined && bucketPrefix !== undefined) {
      const { bucketPlace } = await import("../../intake/bucket.ts");
      const objects = openS3ObjectStore({ ...s3, prefix: bucketPrefix, log });
      const place = bucketPlace(objects, `${bucketPrefix} in the bucket ${s3.bucket}`);
      open.push(startFetching({ ...settings, place }), objects);
    }
  }
  return {
    close: async () => {
      // In this order, because a store closes after the work that uses it.
      for (const one of open) await one.close();
    },
  };
}
