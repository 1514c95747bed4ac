import { parentPort } from "node:worker_threads";
import { marksOf } from "../../core/flow/content-marks.ts";
import { createHasher, type Hasher } from "../../core/flow/hasher.ts";
import { hashesOf } from "../../core/flow/mark-hashes.ts";
import { transferList } from "../../core/shared/transfer-list.ts";
import type { MarksKey, MarksReply, MarksRequest } from "./marks-thread.ts";
import { createSealer, packMarks, type Sealer } from "../../core/flow/packed-marks.ts";

const port = parentPort;
if (port === null) throw new Error("This file is the entry of a worker thread.");

/** Set by the first message. */
let keyed: { hasher: Hasher; sealer: Sealer } | undefined;

port.on("message", (message: MarksKey | MarksRequest) => {
  if ("key" in message) {
    keyed = { hasher: createHasher(message.key), sealer: createSealer(message.key) };
    return;
  }
  if (keyed === undefined) throw new Error("The thread of the fingerprints has no key.");
  const { hasher, sealer } = keyed;
  const { id, texts } = message;
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
