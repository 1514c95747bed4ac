import { expect, it } from "vitest";
import { secretSettings, unexplained } from "../../src/app/doctor/credentials.ts";

it("explains every secret setting: what it opens and where it is revoked", () => {
  expect(secretSettings.length).toBeGreaterThan(5);
  expect(unexplained()).toEqual([]);
});
