import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { oldestNode, tooOldNode } from "../../src/app/platform/version.ts";

it("names an old Node.js, what was not done and what to do", () => {
  // Node.js 18 printed thousands of characters of the program and a syntax error.
  expect(tooOldNode("18.20.8")).toBe(
    "Countersign needs Node.js 20.19 or newer, and this is 18.20.8. Nothing was started. Install a newer one from https://nodejs.org.",
  );
  for (const version of ["16.20.2", "20.9.0", "20.18.3"]) expect(tooOldNode(version)).toBeDefined();
  for (const version of ["20.19.0", "20.20.2", "22.1.0", "24.18.0", "26.0.0-nightly"])
    expect(tooOldNode(version)).toBeUndefined();
});

it("requires the version that the package requires", () => {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  expect(text).toContain(`"node": ">=${oldestNode}"`);
});
