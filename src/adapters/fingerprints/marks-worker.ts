import { parentPort, workerData } from "node:worker_threads";
import { marksOf } from "../../core/flow/content-marks.ts";
import { createHasher } from "../../core/flow/hasher.ts";
import { hashesOf } from "../../core/flow/known-contents.ts";
import { transferList } from "../../core/shared/transfer-list.ts";
import type { MarksReply, MarksRequest } from "./marks-thread.ts";
import { createSealer, packMarks } from "../../core/flow/packed-marks.ts";

const port = parentPort;
if (port === null) throw new Error("This file is the entry of a worker thread.");

const key: unknown = workerData;
if (!(key instanceof Uint8Array)) throw new Error("The thread of the fingerprints has no key.");
const hasher = createHasher(key);
const sealer = createSealer(key);

port.on("message", ({ id, texts }: MarksRequest) => {
  const contents = texts.map((text) => {
    const marks = marksOf(text, hasher);
    return { marks, hashes: hashesOf(marks), ...packMarks(marks, sealer) };
  });
  const reply: MarksReply = { id, contents };
  port.postMessage(
    reply,
    contents
      .flatMap(({ marks, hashes }) => [
        marks.tokens,
        marks.topics,
        marks.pairs,
        hashes.runs,
        hashes.seeds,
      ])
      .flatMap(transferList),
  );
});
