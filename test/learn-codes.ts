import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { packedWeights } from "../src/ingest/codes/learned/weights.ts";
import { codeSets, digestOf, learn, learnedFromPath, messagesOf } from "./fixtures/learn.ts";

// Writes the learned weights of sign-in codes. Run it after a change of the messages or of the features.

/** Characters of a line of the file, which is read by no person. */
const lineCharacters = 2_000;

const path = fileURLToPath(new URL("../src/ingest/codes/learned/weights.ts", import.meta.url));
const mails = messagesOf(codeSets);
const weights = learn(mails);
writeFileSync(learnedFromPath, `${digestOf(mails)}\n`);
// Versions of zlib compress the same weights into other bytes.
if (
  !inflateRawSync(Buffer.from(packedWeights.join(""), "base64")).equals(
    new Uint8Array(weights.buffer),
  )
) {
  const packed = deflateRawSync(weights, { level: 9 }).toString("base64");
  const lines = packed.match(new RegExp(`.{1,${lineCharacters}}`, "g")) ?? [];
  writeFileSync(
    path,
    `/** Weights of features as signed bytes, deflated, in base64, written by \`npm run codes:learn\`. */
export const packedWeights: readonly string[] = [
${lines.map((line) => `  "${line}",`).join("\n")}
];
`,
  );
}
