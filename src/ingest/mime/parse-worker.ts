import { parentPort, workerData } from "node:worker_threads";
import { attachmentText } from "../text/attachment-text.ts";
import { threadWithPriority } from "./background-thread.ts";
import { TooDeepError } from "./mime-parts.ts";
import { mailLimits } from "../pipeline/limits.ts";
import { parseMessage, type ParsedMail } from "./parse-message.ts";

/** The start options of the thread. */
export interface ParseThreadOptions {
  isUrgent: boolean;
}

/** A job for the thread, which does one at a time. */
export type ParseJob =
  | { kind: "parse"; bytes: Uint8Array; receivedAt: Date; hidesCodes: boolean }
  | {
      kind: "read attachment";
      bytes: Uint8Array;
      /** The number of further bytes of the attachment, which are not read. */
      bytesBehind: number;
      mediaType: string;
      name?: string;
      charset?: string;
      /** Limit of the extracted text. */
      maxBytes: number;
      /** The codes that were found in the message itself. Undefined hides nothing. */
      hides?: readonly string[];
    };

export type ParseReply =
  | { kind: "ready"; threadId: number | undefined }
  | { kind: "parsed"; mail: ParsedMail }
  | { kind: "text"; text: Uint8Array | undefined }
  | { kind: "refused"; reason: string };

const port = parentPort;
if (port === null) throw new Error("This file is the entry of a worker thread.");

async function replyTo(job: ParseJob): Promise<ParseReply> {
  try {
    return job.kind === "parse"
      ? { kind: "parsed", mail: await parseMessage(job.bytes, job.receivedAt, job.hidesCodes) }
      : {
          kind: "text",
          text: await attachmentText(
            job.bytes,
            job.mediaType,
            job.name,
            job.charset,
            job.bytesBehind,
            job.maxBytes,
            job.hides,
          ),
        };
  } catch (error) {
    const isTooDeep = error instanceof TooDeepError;
    return {
      kind: "refused",
      reason: isTooDeep ? "its parts are nested too deeply" : "it is malformed",
    };
  }
}

/** Returns the buffers to transfer. Large attachments are transferred, because small ones may share a buffer. */
function buffersOf(reply: ParseReply): ArrayBuffer[] {
  const attachments = reply.kind === "parsed" ? reply.mail.attachments : [];
  const large = attachments.filter(({ content }) => content.length >= mailLimits.transferredBytes);
  // Several attachments may share one message's buffer.
  return [...new Set(large.map(({ content }) => content.buffer))].filter(
    (buffer) => buffer instanceof ArrayBuffer,
  );
}

port.on("message", (job: ParseJob) => {
  void replyTo(job).then((reply) => port.postMessage(reply, buffersOf(reply)));
});
// Set by parser.ts, which alone starts this thread.
const { isUrgent } = workerData as ParseThreadOptions;
port.postMessage({
  kind: "ready",
  threadId: threadWithPriority(isUrgent),
} satisfies ParseReply);
