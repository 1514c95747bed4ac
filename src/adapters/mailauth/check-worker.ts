import { parentPort, workerData } from "node:worker_threads";
import { checkMessage } from "./check-message.ts";
import { openResolver } from "./lookups.ts";
import type { Job, CheckReply, ThreadOptions } from "./messages.ts";

const port = parentPort;
if (port === null) throw new Error("This file is the entry of a worker thread.");

// Set by authenticator.ts, which alone starts this thread.
const resolver = openResolver((workerData as ThreadOptions).servers);

port.on("message", (job: Job) => {
  void checkMessage(job, resolver)
    .then((verdict): CheckReply => ({ id: job.id, verdict }))
    .catch((error: unknown): CheckReply => ({ id: job.id, error: String(error) }))
    .then((reply) => port.postMessage(reply));
});
