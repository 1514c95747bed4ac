import { expect, it } from "vitest";
import { parseSettings } from "../../src/config.ts";

// The next line of the error said that the address was missing.
it("a wrong address is reported once", () => {
  const env = { OAUTH: "on", APPROVERS: "a:1234567890123456", PUBLIC_URL: "http://a.example" };
  const error =
    "Nothing was started:\n  PUBLIC_URL must be an https URL without a user name or password.";
  expect(() => parseSettings(env, "/data")).toThrow(new RegExp(`${error}$`));
});
