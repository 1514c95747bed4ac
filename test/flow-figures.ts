import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compare } from "../src/core/flow/compare.ts";
import { type Rarity, rarities } from "../src/core/flow/reading/rarity.ts";
import { frequenciesIn, given } from "./fixtures/flow/contents.ts";
import { benignQueries, leaks } from "./fixtures/flow/corpus.ts";
import { madeLeaks } from "./fixtures/flow/made-leaks.ts";
import { scatteredWords } from "./fixtures/flow/scattered-words.ts";
import { flowMails } from "./fixtures/flow/mails.ts";

// Writes the figures of information flow into docs/reference/measurements.md.

const page = fileURLToPath(new URL("../docs/reference/measurements.md", import.meta.url));
const seeds = [20_261, 77_003, 4_242];
const meanings: Readonly<Record<keyof typeof rarities, string>> = {
  strict: "one word that is in no list",
  balanced: "rare words whose weights add up (default)",
  lenient: "no words",
};

const ledger = given(flowMails.map(({ text }) => text));
const frequencies = frequenciesIn(flowMails.map(({ text }) => text));

function madeFound(rarity: Rarity): Map<string, { found: number; all: number }> {
  const ways = new Map<string, { found: number; all: number }>();
  for (const seed of seeds) {
    const made = madeLeaks(seed, 40);
    const secrets = [...new Set(made.map(({ secret }) => secret))];
    const known = given(
      secrets.map((secret) => `Hello, the code that you asked for is ${secret}. Regards`),
    );
    const rare = { mails: 200, of: () => 1 };
    for (const { how, texts } of made) {
      const count = ways.get(how) ?? { found: 0, all: 0 };
      const isFound = texts.some(
        (text, at) =>
          compare({ text, earlier: texts.slice(0, at) }, known, rare, rarity).length > 0,
      );
      ways.set(how, { found: count.found + (isFound ? 1 : 0), all: count.all + 1 });
    }
  }
  return ways;
}

const share = (found: number, all: number): string => `${((100 * found) / all).toFixed(1)} %`;

const rows = Object.entries(rarities).map(([name, rarity]) => {
  const found = leaks.filter(
    ({ text, parts }) => compare({ text, earlier: parts }, ledger, frequencies, rarity).length > 0,
  ).length;
  const asked = benignQueries.filter(
    (text) => compare({ text, earlier: [] }, ledger, frequencies, rarity).length > 0,
  ).length;
  const ways = [...madeFound(rarity).values()];
  const sum = (of: "found" | "all"): number => ways.reduce((total, way) => total + way[of], 0);
  const meaning = meanings[name === "strict" || name === "lenient" ? name : "balanced"];
  return `| ${name}: ${meaning} | ${found} of ${leaks.length} | ${share(sum("found"), sum("all"))} of ${sum("all")} | ${asked} of ${benignQueries.length} |`;
});
const weak = [...madeFound(rarities.balanced)]
  .filter(([, { found, all }]) => found < all)
  .toSorted(([, a], [, b]) => a.found / a.all - b.found / b.all)
  .map(([how, { found, all }]) => `| ${how} | ${found} of ${all} |`);

const words = scatteredWords.flatMap(({ mail, leaks: texts }) =>
  texts.map((text) =>
    Object.values(rarities).map(
      (rarity) =>
        compare({ text, earlier: [] }, given([mail]), { mails: 20, of: () => 1 }, rarity).length >
        0,
    ),
  ),
);
const scattered = Object.keys(rarities).map(
  (name, at) => `${words.filter((found) => found[at]).length} of ${words.length} (${name})`,
);

const table = [
  "| rarity | leaks of the corpus found | generated leaks found | benign questions that need approval |",
  "|---|---|---|---|",
  ...rows,
  "",
  `Searches with a few rare words of a mail in another order, with an index of 20 mails: ${scattered.join(", ")}.`,
  "",
  "With the default, these encodings of a generated secret are not always found:",
  "",
  "| way | found |",
  "|---|---|",
  ...weak,
].join("\n");

const text = readFileSync(page, "utf8");
const [start, end] = ["<!-- figures:start -->", "<!-- figures:end -->"];
writeFileSync(
  page,
  `${text.slice(0, text.indexOf(start) + start.length)}\n${table}\n${text.slice(text.indexOf(end))}`,
);
console.log(table);
