import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const pages = [
  "README.md",
  "AGENTS.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md") && !path.startsWith("."))
    .map((path) => join("docs", path)),
];

const mostWords = 25;

/** Constructions that a reader has to translate, each with what to write instead. */
const banned: readonly [RegExp, string][] = [
  [/\b(?:is|are|was) told\b/i, "is notified"],
  [/\b(?:nobody|whoever)\b/i, "a noun of the glossary"],
  [/\bstands\b/i, "applies, is stored, is listed"],
  [/^Where [a-z].*,/, "if or when"],
];

/**
 * Returns the sentences of a page, without code, generated regions and the addresses of links. Each cell of a table is
 * a sentence.
 */
function sentencesOf(page: string): string[] {
  return readFileSync(join(root, page), "utf8")
    .replaceAll(/<!-- (\w+):start -->[\s\S]*?<!-- \1:end -->/g, "")
    .replaceAll(/^ *```[\s\S]*?^ *```/gm, "\n")
    .replaceAll(/`[^`\n]*`/g, "code")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .split(/\n\s*\n|\n(?=\s*(?:[-|#]|\d+\.) )/)
    .flatMap((block) => (block.trim().startsWith("|") ? block.split("|") : [block]))
    .flatMap((block) =>
      block
        .replaceAll(/\s+/g, " ")
        .trim()
        .split(/(?<=[.!?:]\*{0,2}) /),
    )
    .map((sentence) => sentence.replace(/^(?:-|#+|\d+\.) /, ""));
}

describe("the prose of the documentation", () => {
  it.each(pages)("has sentences of at most 25 words in %s", (page) => {
    const long = sentencesOf(page).filter((each) => each.split(" ").length > mostWords);
    expect(long).toEqual([]);
  });

  it.each(pages)("uses plain words in %s", (page) => {
    const faults = sentencesOf(page).flatMap((sentence) =>
      banned
        .filter(([pattern]) => pattern.test(sentence))
        .map(([, better]) => `${sentence} -> ${better}`),
    );
    expect(faults).toEqual([]);
  });
});
