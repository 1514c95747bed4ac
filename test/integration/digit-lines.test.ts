import { readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { withDigit } from "../../src/ingest/codes/candidates.ts";
import { DigitLines, lineSigns } from "../../src/ingest/codes/digit-lines.ts";
import { byForm } from "../../src/ingest/codes/learned/wide-candidates.ts";

const folder = new URL("../fixtures/codes/", import.meta.url);
const messages = readdirSync(folder)
  .filter((file) => file.endsWith(".txt"))
  .flatMap((file) => readFileSync(new URL(file, folder), "utf8").split("\n"))
  .map((line) => new DigitLines(line.replace(/[«»]/g, "").replaceAll("\\n", "\n")));

describe("the lines in which a form of codes is searched", () => {
  // A form whose sign does not fit would silently miss codes.
  it.each([...withDigit, ...byForm])("have every match of %s", (pattern, _kind, sign) => {
    let count = 0;
    // One expectation for each message took most of the time.
    const differing = messages.filter((lines) => {
      const all = lines.placesOf(pattern, lineSigns.digit);
      count += all.length;
      return all.length > 0 && !isDeepStrictEqual(lines.placesOf(pattern, sign), all);
    });
    expect(differing).toEqual([]);
    expect(count).toBeGreaterThan(0);
  });

  it("have no other line but those beside them", () => {
    const text = "one\ntwo\nCode: 12-34\nthree\nfour 5";
    const lines = new DigitLines(text);
    expect(lines.placesOf(/[a-z]+/g, lineSigns.dashed).map(({ start }) => start)).toEqual(
      ["two", "ode", "three"].map((word) => text.indexOf(word)),
    );
  });
});
