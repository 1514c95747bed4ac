import type { Worker } from "node:worker_threads";
import { startQuietWorker } from "../../core/shared/start-worker.ts";
import type { Log } from "../../core/shared/log.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { MailAuthenticator, ToAuthenticate } from "../../ports/mail/mail-authenticator.ts";
import type { Job, CheckReply, ThreadOptions, CheckVerdict } from "./messages.ts";

/**
 * Lookups end after about twelve seconds. A check that takes this long is stuck in the message itself. Milliseconds.
 */
const guardMs = 30_000;
/** How long DNS is not queried after it failed completely. Milliseconds. */
const dnsPauseMs = 30_000;
/** Heap limit of the thread. The message is hashed as a stream, so a need for more memory indicates an attack. */
const heapMegabytes = 256;

/** Bytes copied at once. */
const pieceBytes = 2_000_000;

/**
 * Creates the checks in a separate thread, which starts with the first message that needs one. Hashing a large message
 * takes a second, and DNS may be slow. Several messages wait for DNS concurrently.
 */
export function createMailAuthenticator(settings: {
  /** Undefined for the system's DNS servers. */
  servers: readonly string[] | undefined;
  log: Log;
}): MailAuthenticator {
  const { servers, log } = settings;
  const waiting = new Map<
    number,
    { resolve: (verdict: CheckVerdict) => void; reject: (error: Error) => void }
  >();
  let worker: Worker | undefined;
  let lastId = 0;
  let dnsPausedUntil = 0;

  function thread(): Worker {
    if (worker !== undefined) return worker;
    const started = startThread({ servers });
    started.on("message", (reply: CheckReply) => {
      const job = waiting.get(reply.id);
      waiting.delete(reply.id);
      // An idle thread must not keep the process alive.
      if (waiting.size === 0) started.unref();
      if ("verdict" in reply) job?.resolve(reply.verdict);
      else job?.reject(new Error(reply.error));
    });
    started.on("error", (cause) =>
      log.warn("the thread that authenticates mail failed", { cause }),
    );
    started.on("exit", () => {
      if (worker === started) worker = undefined;
      for (const { reject } of waiting.values()) reject(new Error("the thread ended"));
      waiting.clear();
    });
    worker = started;
    return started;
  }

  async function checked(job: Omit<Job, "id">): Promise<CheckVerdict> {
    const id = ++lastId;
    const isShared = job.raw.buffer instanceof SharedArrayBuffer;
    const raw = isShared ? job.raw : await copyOf(job.raw);
    const current = thread();
    const guard = setTimeout(() => void current.terminate(), guardMs);
    try {
      return await new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        current.ref();
        current.postMessage(
          { ...job, id, raw } satisfies Job,
          raw.buffer instanceof ArrayBuffer ? [raw.buffer] : [],
        );
      });
    } finally {
      clearTimeout(guard);
    }
  }

  return {
    authenticate: async ({ raw, author, isSigned, session, sealer }: ToAuthenticate) => {
      if ((!isSigned && session === undefined) || performance.now() < dnsPausedUntil)
        return { authentication: { from: "unverified" } };
      const { unreachable, ...found } = await checked({ raw, author, isSigned, session, sealer });
      if (unreachable === "some")
        throw new ToolError("unavailable", "DNS did not answer all queries.");
      if (unreachable === "all") {
        dnsPausedUntil = performance.now() + dnsPauseMs;
        log.warn("DNS does not answer; mail is not authenticated for a while", {
          pauseMs: dnsPauseMs,
        });
      }
      return found;
    },
    close: async () => {
      await worker?.terminate();
    },
  };
}

/**
 * Copies bytes for a transfer, because the caller keeps its own. A large message is copied in slices, because copying
 * it at once would block other work.
 */
async function copyOf(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(bytes.length);
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    copy.set(bytes.subarray(start, start + pieceBytes), start);
  }
  return copy;
}

function startThread(workerData: ThreadOptions): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: heapMegabytes };
  return startQuietWorker("check-worker", { workerData, resourceLimits });
}
