import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  type ProseRule,
  sentenceRules,
  sentencesOf,
  startsWithVerb,
  wordRules,
} from "./prose-rules.ts";
import { type SourceText, textsOf } from "./source-texts.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Faults that are left in comments, by folder, and in test titles. A count may only fall.
 * After a fix write the new, lower number here. A folder that is not listed has none.
 */
const left: Readonly<Record<string, number>> = {
  "src/ports": 0,
  src: 0,
  "src/adapters": 0,
  "src/app": 0,
  "src/config": 0,
  "src/core": 0,
  "src/export": 0,
  "src/mcp": 0,
  "src/review": 0,
  "src/setup": 0,
  "src/stores": 0,
  "test titles": 0,
};

/** Faults that are left in strings of `src`, by folder. */
const leftInStrings: Readonly<Record<string, number>> = {
  "src/app": 0,
  "src/config": 0,
  "src/core": 0,
  "src/review": 0,
};

interface Fault {
  folder: string;
  place: string;
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))
    .map((path) => join(folder, path));
}

/** Names the folder that a file is counted in: the first one below `src`, or `src` itself. */
function folderOf(file: string): string {
  const [, folder = "", ...rest] = file.split(sep);
  return rest.length === 0 ? "src" : `src/${folder}`;
}

function faultsOf(text: string, rules: readonly ProseRule[]): string[] {
  return sentencesOf(text).flatMap((sentence, index) =>
    rules
      .filter((rule) => rule.breaks(sentence, index))
      .map((rule) => `${rule.name} -> ${rule.instead}: ${sentence}`),
  );
}

/** A text of at least four words is prose; shorter ones are keys, headers and names. */
function isProse(text: string): boolean {
  return (text.match(/\b[A-Za-z]{2,}\b/g)?.length ?? 0) >= 4 && /[a-z] [a-z]/.test(text);
}

/** Comments that a linter or compiler reads. */
const directive = /^(?:oxlint-|eslint|@ts-|@vitest|v8 ignore)/;
const declaresFunction = /^(?:export )?(?:default )?(?:async )?function\b/;

function faultsOfComment({ text, code }: SourceText): string[] {
  if (directive.test(text)) return [];
  const faults = faultsOf(text, [...wordRules, ...sentenceRules]);
  return declaresFunction.test(code) && !startsWithVerb(text)
    ? [...faults, `no verb first -> "Returns", "Deletes", "Parses": ${text}`]
    : faults;
}

function located(file: string, { line }: SourceText, faults: readonly string[]): Fault[] {
  return faults.map((fault) => ({ folder: folderOf(file), place: `${file}:${line} ${fault}` }));
}

const sources = filesIn("src").map((file) => ({
  file,
  texts: textsOf(readFileSync(join(root, file), "utf8")),
}));
const comments = sources.flatMap(({ file, texts }) =>
  texts
    .filter(({ kind }) => kind === "comment")
    .flatMap((text) => located(file, text, faultsOfComment(text))),
);
const strings = sources.flatMap(({ file, texts }) =>
  texts
    .filter(({ kind, text }) => kind === "string" && isProse(text))
    .flatMap((text) => located(file, text, faultsOf(text.text, wordRules))),
);
const titles = filesIn("test").flatMap((file) =>
  textsOf(readFileSync(join(root, file), "utf8"))
    .filter(({ kind }) => kind === "title")
    .flatMap((text) => located(file, text, faultsOf(text.text, [...wordRules, ...sentenceRules])))
    .map((fault) => ({ ...fault, folder: "test titles" })),
);

/** Fails with every place if a folder has more or fewer faults than its count allows. */
function expectCounts(faults: readonly Fault[], counts: Readonly<Record<string, number>>): void {
  const byFolder = new Map<string, Fault[]>();
  for (const fault of faults)
    byFolder.set(fault.folder, [...(byFolder.get(fault.folder) ?? []), fault]);
  const wrong = new Set([...byFolder.keys(), ...Object.keys(counts)]);
  const messages = [...wrong].toSorted().flatMap((folder) => {
    const places = byFolder.get(folder) ?? [];
    const allowed = counts[folder] ?? 0;
    if (places.length === allowed) return [];
    if (places.length < allowed)
      return [`${folder}: ${places.length} left; lower ${allowed} to it`];
    return [
      `${folder}: ${places.length} faults, ${allowed} allowed`,
      ...places.map(({ place }) => `  ${place}`),
    ];
  });
  expect(messages.join("\n")).toBe("");
}

describe("the prose of the source", () => {
  it("has no more faults in comments than are counted", () => {
    expectCounts([...comments, ...titles], left);
  });

  it("has no more faults in strings than are counted", () => {
    expectCounts(strings, leftInStrings);
  });
});
