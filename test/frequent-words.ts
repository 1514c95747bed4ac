import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { normalisedText } from "../src/core/flow/reading/normalise.ts";
import { placesIn, levels } from "../src/core/flow/reading/frequent-words.ts";
import { tokensOf } from "../src/core/flow/reading/tokens.ts";

// Writes the filters of common words. Its argument is a folder with the packages `@zxcvbn-ts/language-*` 4.1.1 (MIT, word
// counts of Wikipedia and OpenSubtitles) and with `dict.txt` of jieba 0.42.1 (MIT).

/** Bits of the filters for each word, from the most frequent words on. Errors matter less among rare ones. */
const bitsPerWord = [10, 8, 7, 5];
/** Characters of a line of the file, which is read by no person. */
const lineCharacters = 2_000;
/** A name of a person is no common word, unless its rank is better than this. */
const nameRank = 5_000;
const languages = ["en", "de", "fr", "es-es", "pt-br", "it"];

const folder = process.argv[2];
if (folder === undefined) throw new Error("Name the folder with the word lists.");

const listOf = (language: string, list: string): string[] => {
  const words: unknown = JSON.parse(
    readFileSync(join(folder, `language-${language}`, "src", `${list}.json`), "utf8"),
  );
  return Array.isArray(words) ? words.map((word) => normalisedText(String(word))) : [];
};

const names = new Set(
  languages.flatMap((language) =>
    ["firstnames", "lastnames"].flatMap((list) => listOf(language, list)),
  ),
);
const ranks = new Map<string, number>();
const add = (word: string, rank: number): void => {
  if (word.length < 2 || (rank >= nameRank && names.has(word))) return;
  ranks.set(word, Math.min(rank, ranks.get(word) ?? rank));
};
for (const language of languages)
  for (const list of ["commonWords", "wikipedia"])
    for (const [rank, word] of listOf(language, list).entries())
      for (const { text } of tokensOf(word)) add(text, rank);
const chinese = readFileSync(join(folder, "dict.txt"), "utf8")
  .split("\n")
  .map((line) => line.split(" "))
  .filter(([word = ""]) => word.length >= 2 && /^\p{Script=Han}+$/u.test(word))
  .toSorted(([, one = ""], [, other = ""]) => Number(other) - Number(one));
for (const [rank, [word = ""]] of chinese.entries()) add(word, rank);

let from = 0;
const filters = levels.map(({ ranks: below }, level) => {
  const words = [...ranks].filter(([, rank]) => rank >= from && rank < below).map(([word]) => word);
  from = below;
  const filter = new Uint8Array(Math.ceil((words.length * (bitsPerWord[level] ?? 8)) / 8));
  for (const word of words)
    for (const place of placesIn(word, filter.length * 8))
      filter[place >> 3] = (filter[place >> 3] ?? 0) | (1 << (place & 7));
  console.log(`${words.length} words, ${filter.length} bytes`);
  return Buffer.from(filter).toString("base64");
});

const path = fileURLToPath(
  new URL("../src/core/flow/reading/frequent-words-data.ts", import.meta.url),
);
const linesOf = (filter: string): string =>
  (filter.match(new RegExp(`.{1,${lineCharacters}}`, "g")) ?? [])
    .map((line) => `    "${line}",`)
    .join("\n");
writeFileSync(
  path,
  `/**
 * Bloom filters of common words as base64, one for each of \`levels\`, written by \`npm run flow:words\`. The words are from
 * \`@zxcvbn-ts\` 4.1.1 (MIT; Wikipedia, and OpenSubtitles 2024 through OPUS, ODC-BY) and jieba 0.42.1 (MIT).
 */
export const packedFilters: readonly (readonly string[])[] = [
${filters.map((filter) => `  [\n${linesOf(filter)}\n  ],`).join("\n")}
];
`,
);
