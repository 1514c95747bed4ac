import { Worker } from "node:worker_threads";
import type { Log } from "../../core/shared/log.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { MailAuthenticator, ToAuthenticate } from "../../ports/mail/mail-authenticator.ts";
import type { Job, CheckReply, ThreadOptions, CheckVerdict } from "./messages.ts";

/** Lookups end by themselves after some twelve seconds; what takes longer is at work on the message, and stuck. */
const guardMs = 30_000;
/** How long DNS is left alone after it gave no answer at all. */
const restMs = 30_000;
/** Hashing streams over the message; what needs more memory is made to. */
const heapMegabytes = 256;

/** Copied at one go. */
const pieceBytes = 2_000_000;

/**
 * Checks in a thread of its own, which starts with the first message that has anything to check: a large message is hashed
 * for a second, and DNS may be slow. Several messages wait for DNS at a time.
 */
export function createMailAuthenticator(settings: {
  /** Undefined: the system's. */
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
  let restsUntil = 0;

  function thread(): Worker {
    if (worker !== undefined) return worker;
    const started = startThread({ servers });
    started.on("message", (reply: CheckReply) => {
      const job = waiting.get(reply.id);
      waiting.delete(reply.id);
      // An idle thread keeps no process alive.
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
      if ((!isSigned && session === undefined) || performance.now() < restsUntil)
        return { authentication: { from: "unverified" } };
      const { isAway, ...found } = await checked({ raw, author, isSigned, session, sealer });
      if (isAway === "some")
        throw new ToolError("unavailable", "DNS did not answer all that was asked of it.");
      if (isAway === "all") {
        restsUntil = performance.now() + restMs;
        log.warn("DNS gives no answer: mail is not authenticated for a while", { restMs });
      }
      return found;
    },
    close: async () => {
      await worker?.terminate();
    },
  };
}

/** To be handed over: the caller goes on with its own. A large message at one go would be felt by everything else. */
async function copyOf(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(bytes.length);
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    copy.set(bytes.subarray(start, start + pieceBytes), start);
  }
  return copy;
}

function startThread(workerData: ThreadOptions): Worker {
  // mailauth prints what it measures; our stdout may be the protocol's.
  const options = {
    workerData,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  };
  const worker = newWorker(options);
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}

function newWorker(options: ConstructorParameters<typeof Worker>[1]): Worker {
  if (import.meta.url.endsWith(".js"))
    return new Worker(new URL("./check-worker.js", import.meta.url), { ...options, execArgv: [] });
  // From source (tests, tsx): Node 20 cannot read TypeScript, and a thread does not inherit who reads it for this one.
  const entry = new URL("./check-worker.ts", import.meta.url).href;
  const loader = import.meta.resolve("tsx/esm/api");
  const code = `import(${JSON.stringify(loader)}).then(({ register }) => (register(), import(${JSON.stringify(entry)})))`;
  return new Worker(code, { ...options, eval: true });
}
