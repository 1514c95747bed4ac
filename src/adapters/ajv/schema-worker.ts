import { parentPort } from "node:worker_threads";
import type { ValidateFunction } from "ajv";
import { compiled, problemsOf } from "./compile-schema.ts";
import type { CheckJob, SchemaReply } from "./schema-messages.ts";

const port = parentPort;
if (port === null) throw new Error("This file is the entry of a worker thread.");

/** Compiled schemas. Undefined for one that cannot be used. */
const known = new Map<number, ValidateFunction | undefined>();

function answer(job: CheckJob): SchemaReply {
  if (job.kind === "compile") {
    known.set(job.key, compiled(job.schema));
    return { kind: "ready" };
  }
  const validate = known.get(job.key);
  if (validate === undefined) return { kind: "unusable" };
  return { kind: "problems", problems: problemsOf(validate, job.value) };
}

port.on("message", (job: CheckJob) => port.postMessage(answer(job)));
port.postMessage({ kind: "ready" } satisfies SchemaReply);
