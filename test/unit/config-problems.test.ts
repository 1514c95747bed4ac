import { expect, it } from "vitest";
import { parseSettings } from "../../src/config.ts";

// The next line of the error said that the address was missing.
it("a wrong address is reported once", () => {
  const env = { OAUTH: "on", APPROVERS: "a:1234567890123456", PUBLIC_URL: "http://a.example" };
  const error =
    "Nothing was started:\n  PUBLIC_URL must be an https URL without a user name or password.";
  expect(() => parseSettings(env, "/data")).toThrow(new RegExp(`${error}$`));
});

// A client that this approver let in shared the requests and results of programs over stdio.
it("an approver is no caller over stdio with OAUTH=on", () => {
  const env = { APPROVERS: "local:1234567890123456", PUBLIC_URL: "https://a.example" };
  expect(() => parseSettings({ ...env, OAUTH: "on" }, "/data")).toThrow(
    'APPROVERS must not use the name "local", which is the caller over stdio, because OAUTH is on.',
  );
  const others = { ...env, OAUTH: "on", OAUTH_ISSUER: "https://id.example.org/" };
  for (const allowed of [env, others])
    expect(parseSettings(allowed, "/data").approvals.approvers).toHaveLength(1);
});
