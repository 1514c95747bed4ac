import { mailLimits } from "../pipeline/limits.ts";
import { attachmentKind, bytesRead } from "../text/attachment-kind.ts";
import type { ParseJob } from "./parse-worker.ts";

export interface Attachment {
  content: Uint8Array;
  mediaType: string;
  name?: string;
  charset?: string;
}

/** How attachments are read in a thread. */
export interface AttachmentReading {
  /** The limit on the time for attachments of this size. Milliseconds. */
  limitMs: (bytes: number) => number;
  hidesCodes: boolean;
  /** Reads one attachment. `text` is undefined if it has none. `workedMs` counts towards the limit of all. */
  read: (
    job: ParseJob,
    limitMs: number,
  ) => Promise<{ text: Uint8Array | undefined; workedMs: number }>;
}

/** Yields the texts of a message's attachments, as `Parser.attachmentTexts` describes. */
export async function* attachmentTexts(
  attachments: readonly Attachment[],
  codes: readonly string[],
  { limitMs: limitFor, hidesCodes, read }: AttachmentReading,
): AsyncGenerator<Uint8Array | undefined, undefined> {
  // Twice the time of one attachment of that size, because the first may take half of it.
  const bytes = attachments.reduce((sum, { content }) => sum + content.length, 0);
  let leftMs = 2 * limitFor(bytes);
  let leftBytes: number = mailLimits.attachmentTextBytes;
  for (const [at, attachment] of attachments.entries()) {
    // The other half of the remaining time is for the attachments that follow.
    const isLast = at === attachments.length - 1;
    const limitMs = Math.min(limitFor(attachment.content.length), isLast ? leftMs : leftMs / 2);
    const isSpent = leftBytes <= 0 || (at > 0 && limitMs < mailLimits.leastAttachmentMs);
    if (isSpent) {
      yield undefined;
      continue;
    }
    const job = jobFor(attachment, Math.min(mailLimits.textBytes, leftBytes));
    const { text, workedMs } = await read(
      { ...job, ...(hidesCodes && { hides: codes }) },
      Math.round(limitMs),
    );
    leftMs -= workedMs;
    leftBytes -= text?.length ?? 0;
    yield text;
  }
}

function jobFor(
  { content, mediaType, name, charset }: Attachment,
  maxBytes: number,
): Extract<ParseJob, { kind: "read attachment" }> {
  // Copies only the bytes that will be read.
  const head = content.subarray(0, bytesRead(attachmentKind(mediaType, name)));
  return {
    kind: "read attachment",
    bytes: head,
    bytesBehind: content.length - head.length,
    mediaType,
    ...(name !== undefined && { name }),
    ...(charset !== undefined && { charset }),
    maxBytes,
  };
}
