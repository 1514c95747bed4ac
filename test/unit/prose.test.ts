import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))
    .map((path) => join(folder, path));
}

function faultsOf(text: string, rules: readonly ProseRule[]): string[] {
  return sentencesOf(text).flatMap((sentence, index) =>
    rules
      .filter((rule) => rule.breaks(sentence, index))
      .map((rule) => `${rule.name} -> ${rule.instead}: ${sentence}`),
  );
}

/** Returns whether a text is prose: at least four words. Shorter ones are keys, headers and names. */
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

function located(file: string, { line }: SourceText, faults: readonly string[]): string[] {
  return faults.map((fault) => `${file}:${line} ${fault}`);
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
const tests = filesIn("test").map((file) => ({
  file,
  texts: textsOf(readFileSync(join(root, file), "utf8")),
}));
const testComments = tests.flatMap(({ file, texts }) =>
  texts
    .filter(({ kind }) => kind === "comment")
    .flatMap((text) => located(file, text, faultsOfComment(text))),
);
const titles = tests.flatMap(({ file, texts }) =>
  texts
    .filter(({ kind }) => kind === "title")
    .flatMap((text) => located(file, text, faultsOf(text.text, [...wordRules, ...sentenceRules]))),
);

describe("the prose of the source", () => {
  it("has no faults in comments", () => {
    expect(comments).toEqual([]);
  });

  it("has no faults in strings", () => {
    expect(strings).toEqual([]);
  });

  it("has no faults in the titles of tests", () => {
    expect(titles).toEqual([]);
  });

  it("has no faults in the comments of tests", () => {
    expect(testComments).toEqual([]);
  });
});
