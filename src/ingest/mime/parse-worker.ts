import { parentPort } from "node:worker_threads";
import { attachmentText } from "../text/attachment-text.ts";
import { goToBackground } from "./background-thread.ts";
import { joinBytesWithoutBlobs } from "./joined-bytes.ts";
import { mailLimits } from "../pipeline/limits.ts";
import { parseMessage, type ParsedMail } from "./parse-message.ts";

/** A job for the thread, which does one at a time. */
export type ParseJob =
  | { do: "parse"; bytes: Uint8Array; receivedAt: Date; hidesCodes: boolean }
  | {
      do: "read attachment";
      bytes: Uint8Array;
      /** Bytes of the attachment that follow and are not read. */
      bytesBehind: number;
      mediaType: string;
      name?: string;
      charset?: string;
      /** Limit of the extracted text. */
      maxBytes: number;
      /** The codes that the message itself gave away. Undefined shows every code. */
      hides?: readonly string[];
    };

export type ParseReply =
  | { is: "ready"; threadId: number | undefined }
  | { is: "parsed"; mail: ParsedMail }
  | { is: "text"; text: Uint8Array | undefined }
  | { is: "refused"; reason: string };

const port = parentPort;
if (port === null) throw new Error("This file is the entry of a worker thread.");

joinBytesWithoutBlobs();

async function replyTo(job: ParseJob): Promise<ParseReply> {
  try {
    return job.do === "parse"
      ? { is: "parsed", mail: await parseMessage(job.bytes, job.receivedAt, job.hidesCodes) }
      : {
          is: "text",
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
    return { is: "refused", reason: String(error) };
  }
}

/** Returns the buffers to transfer. Large attachments are transferred, because small ones may share a buffer. */
function buffersOf(reply: ParseReply): ArrayBuffer[] {
  const attachments = reply.is === "parsed" ? reply.mail.attachments : [];
  const large = attachments.filter(({ content }) => content.length >= mailLimits.asideBytes);
  // Several attachments may share one message's buffer.
  return [...new Set(large.map(({ content }) => content.buffer))].filter(
    (buffer) => buffer instanceof ArrayBuffer,
  );
}

port.on("message", (job: ParseJob) => {
  void replyTo(job).then((reply) => port.postMessage(reply, buffersOf(reply)));
});
port.postMessage({ is: "ready", threadId: goToBackground() } satisfies ParseReply);
