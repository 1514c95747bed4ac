import { parentPort } from "node:worker_threads";
import { parseMessage, type ParsedMail } from "./parse-message.ts";

/** One message for the worker; it works on one at a time. */
export interface ParseJob {
  raw: Uint8Array;
  receivedAt: Date;
}

export type ParseReply =
  | { is: "ready" }
  | { is: "parsed"; mail: ParsedMail }
  | { is: "refused"; reason: string };

const port = parentPort;
if (port === null) throw new Error("This file is the entry of a worker thread.");

port.on("message", ({ raw, receivedAt }: ParseJob) => {
  parseMessage(raw, receivedAt).then(
    (mail) => port.postMessage({ is: "parsed", mail } satisfies ParseReply),
    (error: unknown) =>
      port.postMessage({ is: "refused", reason: String(error) } satisfies ParseReply),
  );
});
port.postMessage({ is: "ready" } satisfies ParseReply);
