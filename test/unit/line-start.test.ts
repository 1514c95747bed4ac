import { expect, it } from "vitest";
import { withoutControls } from "../../src/adapters/mcp-client/line-start.ts";

it.each([
  ["{}", "{}"],
  [" {} \r", "{}"],
  ["\u0000\u0000{}", "{}"],
  ["\ufeff{}", "{}"],
  ["\u001b[0m\u001b[1;32m {}", "{}"],
  ["\u001b[2J{}", "\u001b[2J{}"],
  ["\u0000\u0000", ""],
  ["a\u0000{}", "a\u0000{}"],
])("the line %j is read as %j", (line, text) => {
  expect(withoutControls(line)).toBe(text);
});

// A regular expression ended with "Maximum call stack size exceeded".
it("a line of 9 MB of NUL is empty", () => {
  expect(withoutControls("\u0000".repeat(9_000_000))).toBe("");
});
