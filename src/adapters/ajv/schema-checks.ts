import type { Worker } from "node:worker_threads";
import type { Log } from "../../core/shared/log.ts";
import { startQuietWorker } from "../../core/shared/start-worker.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { CompileSchema, SchemaCheck } from "../../ports/upstream/upstream-server.ts";
import { isHarmless } from "./harmless-schema.ts";
import type { CheckJob, SchemaReply } from "./schema-messages.ts";

/** Time limit of one check, because a pattern may take exponential time. Most checks take under 1 ms. Milliseconds. */
const checkWithinMs = 1_000;
/** Time limits for the start of the thread and for reading a schema, on a busy machine. Milliseconds. */
const startWithinMs = 15_000;
const compileWithinMs = 10_000;
/** Heap limit of the thread. The compiled schemas of one thousand tools need far less. */
const heapMegabytes = 256;

type Schema = Parameters<CompileSchema>[0];

const tookTooLong = ["the check against the tool's schema took too long"];

export interface SchemaChecks {
  compile: CompileSchema;
  close(): Promise<void>;
}

interface Thread {
  worker: Worker;
  /** The schemas that it has compiled. */
  compiled: Set<number>;
}

/**
 * Creates the checks of arguments and results against the schemas of upstream servers. Checks that may take long run in
 * a thread, one at a time. If a check exceeds its time, the thread is ended, and the next check starts another one.
 */
export function createSchemaChecks(log: Log): SchemaChecks {
  let thread: Promise<Thread> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let keys = 0;

  async function started(): Promise<Thread> {
    const worker = startQuietWorker("schema-worker", {
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
    worker.once("exit", () => (thread = undefined));
    const ready = await answerOf(worker, startWithinMs);
    if (ready?.kind === "ready") return { worker, compiled: new Set() };
    await worker.terminate();
    throw new ToolError("internal", "The check of arguments did not start. Nothing was done.");
  }

  /** Returns the next response. Undefined if the thread did not answer in time, or ended. */
  function answerOf(worker: Worker, withinMs: number): Promise<SchemaReply | undefined> {
    return new Promise((resolve) => {
      const done = (reply: SchemaReply | undefined): void => {
        clearTimeout(timer);
        worker.off("message", done).off("exit", ended).off("error", failed);
        resolve(reply);
      };
      const ended = (): void => done(undefined);
      const failed = (cause: unknown): void => {
        log.warn("the thread that checks arguments failed", { cause });
        done(undefined);
      };
      const timer = setTimeout(ended, withinMs);
      worker.on("message", done).once("exit", ended).once("error", failed);
    });
  }

  /** Sends a job to the thread and returns the response. Ends the thread if it does not answer in time. */
  async function asked(
    worker: Worker,
    job: CheckJob,
    withinMs: number,
  ): Promise<SchemaReply | undefined> {
    const answer = answerOf(worker, withinMs);
    worker.postMessage(job);
    const reply = await answer;
    if (reply !== undefined) return reply;
    thread = undefined;
    await worker.terminate();
    return undefined;
  }

  async function check(
    { key, schema, tool }: { key: number; schema: Schema; tool: string },
    value: unknown,
  ): Promise<readonly string[]> {
    const { worker, compiled } = await (thread ??= started());
    if (!compiled.has(key)) {
      const ready = await asked(worker, { kind: "compile", key, schema }, compileWithinMs);
      if (ready === undefined) return tookTooLong;
      compiled.add(key);
    }
    const reply = await asked(worker, { kind: "check", key, value }, checkWithinMs);
    if (reply === undefined) return tookTooLong;
    if (reply.kind === "problems") return reply.problems;
    throw unusable(tool);
  }

  return {
    compile: (schema, tool) => {
      if (isHarmless(schema)) return checkHere(schema, tool);
      keys += 1;
      const key = keys;
      return async (value) => {
        const mine = last.then(() => check({ key, schema, tool }, value));
        last = mine.catch(() => undefined);
        return await mine;
      };
    },
    close: async () => {
      await thread?.then(({ worker }) => worker.terminate()).catch(() => undefined);
    },
  };
}

/** Returns the check in this thread. Ajv is loaded for the first one. */
function checkHere(schema: Schema, tool: string): SchemaCheck {
  let check: ((value: unknown) => readonly string[]) | undefined;
  return async (value) => {
    if (check === undefined) {
      const { compiled, problemsOf } = await import("./compile-schema.ts");
      const validate = compiled(schema, { isSound: true });
      if (validate === undefined) throw unusable(tool);
      check = (given) => problemsOf(validate, given);
    }
    return check(value);
  };
}

function unusable(tool: string): ToolError {
  return new ToolError(
    "unavailable",
    `The schema of ${tool} cannot be used to check a call. Nothing was done.`,
    { hint: "Tell the user: the author of the server has to correct the schema." },
  );
}
