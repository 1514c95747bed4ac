import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { associationsOf } from "./fixtures/learn-tools.ts";
import { learnedSets } from "./fixtures/request-sets.ts";

// Writes the words that go together in requests and in the tools that are right for them. Run it after a change of either.

const path = fileURLToPath(
  new URL("../src/adapters/stemmer/lists/associations.ts", import.meta.url),
);
const lines = associationsOf(learnedSets);
writeFileSync(
  path,
  `/**
 * Stems of requests, and the stems of the tools that were right for them, each after a digit for its evidence. Written by
 * \`npm run tools:learn\`.
 */
export const associations: readonly string[] = [
${lines.map((line) => `  ${JSON.stringify(line)},`).join("\n")}
];
`,
);
