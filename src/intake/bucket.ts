import { setTimeout as later } from "node:timers/promises";
import { ToolError } from "../core/tool/tool-error.ts";
import type { MailPlace, WaitingMail } from "../ports/mail/mail-source.ts";
import type { ObjectStore } from "../ports/files/objects.ts";
import { fetchLimits } from "./limits.ts";

interface BucketMail extends WaitingMail {
  key: string;
  etag: string;
}

/** The folder for rejected objects, below the same prefix. */
const rejected = "rejected/";

/**
 * Opens the part of a bucket into which another service writes raw messages, one per object.
 * @param objects limited to that part
 */
export function bucketPlace(
  objects: ObjectStore,
  name: string,
  pause: (signal: AbortSignal) => Promise<unknown> = aWhile,
): MailPlace<BucketMail> {
  async function removed({ key, etag }: BucketMail): Promise<void> {
    try {
      await objects.remove(key, { when: { kind: "unchanged", etag } });
    } catch (error) {
      // Another message has the same key. It is fetched later.
      if (!(error instanceof ToolError) || error.kind !== "conflict") throw error;
    }
  }

  async function waiting(except: ReadonlySet<string>): Promise<readonly BucketMail[]> {
    let after: string | undefined;
    do {
      const list = await objects.list({
        prefix: "",
        limit: fetchLimits.batch,
        ...(after !== undefined && { after }),
      });
      const mails = list.objects
        // A key that ends in a slash is a folder that some programs create.
        .filter(({ key }) => !key.startsWith(rejected) && key !== "" && !key.endsWith("/"))
        .map(({ key, etag, bytes }) => ({ id: `${key} ${etag}`, key, etag, bytes, place: key }))
        .filter(({ id }) => !except.has(id));
      if (mails.length > 0) return mails;
      after = list.next;
    } while (after !== undefined);
    return [];
  }

  return {
    intake: "bucket",
    name,
    open: () =>
      Promise.resolve({
        waiting,
        read: async ({ key }, maxBytes) => {
          const found = await objects.get(key, { length: maxBytes + 1 });
          if (found !== undefined && found.body.length > maxBytes)
            throw new ToolError(
              "too_large",
              "The object is larger than allowed. It was not fetched.",
            );
          return found?.body;
        },
        markProcessed: removed,
        beginning: async ({ key }, length) => (await objects.get(key, { length }))?.body,
        rejectFolder: ({ key }) => rejected + key,
        reject: async (mail) => {
          await objects.copy(mail.key, rejected + mail.key);
          await removed(mail);
        },
        changed: async (signal) => {
          await pause(signal);
        },
        close: () => Promise.resolve(),
      }),
  };
}

async function aWhile(signal: AbortSignal): Promise<void> {
  await later(fetchLimits.pollEveryMs, undefined, { signal }).catch(() => undefined);
}
