import { describe, expect, it } from "vitest";
import { encodedParts, matchesInRuns } from "../../src/core/flow/reading/odd-runs.ts";
import { remembered } from "../../src/core/flow/reading/remembered.ts";

const texts = [
  "when does the shop open on 3 November 2026?",
  "ZG9vciBjb2Rl is base64, and so is (ZG9vciBjb2RlIDQ3MTE=) here",
  "==gcvVGZ backwards, 646f6f72 in digits, a/path/To/File_1-2.txt",
  "über4711 café_Ab3xYz日本Qm9keQ==",
  "lower case words only, without any digit",
  "",
];
const forms = [
  /(?<![A-Za-z0-9+/_-])(?=[a-z+/_-]*[A-Z\d])[A-Za-z0-9+/_-]{6,}={0,2}/g,
  /(?<![A-Za-z0-9+/_-])={0,2}(?=[a-z+/_-]*[A-Z\d])[A-Za-z0-9+/_-]{6,}/g,
  /(?<![A-Za-z0-9])(?=[a-z]*[A-Z\d])[1-9A-HJ-NP-Za-km-z]{6,200}(?![A-Za-z0-9])/g,
  /(?<![\w+/=-])(?=[a-f]*\d)[0-9a-f]{3,64}(?![\w+/=-])/gi,
];

describe("the parts of a text that may be encoded", () => {
  it.each(forms)("have the matches that the whole text has: %s", (form) => {
    for (const text of texts)
      expect(matchesInRuns(text, form, 3), text).toEqual(
        Array.from(text.matchAll(form), ({ 0: run, index }) => ({
          run,
          start: index,
          end: index + run.length,
        })),
      );
  });

  it("are searched again if the text is another one", () => {
    expect(encodedParts("first Ab3d")).toEqual(["Ab3d"]);
    expect(encodedParts("second")).toEqual([]);
    expect(encodedParts("first Ab3d")).toEqual(["Ab3d"]);
  });
});

describe("remembered results", () => {
  it("are made once for a short text, also if there is none", () => {
    const made: string[] = [];
    const find = remembered(
      (text) => {
        made.push(text);
        return text === "a" ? undefined : text;
      },
      { texts: 2, longest: 3 },
    );
    for (const text of ["a", "b", "a", "long text", "long text", "c", "a"])
      expect(find(text)).toBe(text === "a" ? undefined : text);
    // The third kept text replaces the first two.
    expect(made).toEqual(["a", "b", "long text", "long text", "c", "a"]);
  });
});
