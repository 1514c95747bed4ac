import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { codeSets, learn, messagesOf } from "./fixtures/learn.ts";

// Writes the learned weights of sign-in codes. Run it after a change of the messages or of the features.

/** Characters of a line of the file, which is read by no person. */
const lineCharacters = 2_000;

const path = fileURLToPath(new URL("../src/ingest/codes/learned/weights.ts", import.meta.url));
const packed = deflateRawSync(learn(messagesOf(codeSets)), { level: 9 }).toString("base64");
const lines = packed.match(new RegExp(`.{1,${lineCharacters}}`, "g")) ?? [];
writeFileSync(
  path,
  `/** Weights of features as signed bytes, deflated, in base64, written by \`npm run codes:learn\`. */
export const packedWeights: readonly string[] = [
${lines.map((line) => `  "${line}",`).join("\n")}
];
`,
);
