import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Answer, answerOf } from "./answer.ts";
import { newSuiteHome } from "./home.ts";
import { type RawCaller, raw2025Here, raw2026Here } from "./raw-server.ts";

type Call = readonly [tool: string, args: Record<string, unknown>, named: string];

/** Calls that cannot be made, each with what the result must name. */
const wrong: Readonly<Record<string, readonly Call[]>> = {
  "an unknown field": [
    ["delete_file", { key: "a.txt", force: true }, 'unknown field "force"'],
    ["list_files", { Prefix: "a" }, 'unknown field "Prefix"'],
    ["check_approval", { approvalId: "ap_x", approve: true }, 'unknown field "approve"'],
  ],
  "a wrong type": [
    ["delete_file", { key: 7 }, "key: "],
    ["read_file", { key: "a.txt", offset: "0" }, "offset: "],
    ["write_file", { key: "a.txt", content: { text: "x" } }, "content: "],
    ["list_files", { limit: 2.5 }, "limit: "],
    ["search_emails", { hasAttachment: "yes" }, "hasAttachment: "],
  ],
  "a missing field": [
    ["delete_file", {}, "key is missing"],
    ["write_file", { key: "a.txt" }, "content is missing"],
    ["read_email", {}, "emailId is missing"],
  ],
  "a value out of range": [
    ["list_files", { limit: 1001 }, "limit: "],
    ["read_file", { key: "a.txt", offset: -1 }, "offset: "],
    ["write_file", { key: "a.txt", content: "x", encoding: "latin1" }, "encoding: "],
    ["write_file", { key: "a.txt", content: "x", mediaType: "text" }, "mediaType: "],
    ["write_file", { key: "a.txt", content: "not base64!", encoding: "base64" }, "content: "],
    ["list_files", { cursor: "made-up" }, "cursor: "],
  ],
};

/** Names that no file may have. */
const wrongKeys = {
  "a step up": "../install.key",
  "a step up inside": "a/../../install.key",
  "a step up in disguise": "a/..%2f..%2finstall.key",
  "a leading slash": "/etc/passwd",
  "a doubled slash": "a//b",
  "a trailing slash": "a/",
  "a single dot": "./a",
  "a NUL": "a.txt\0.png",
  "a line break": "a\nb",
  "a backslash": "..\\install.key",
  "10 000 characters": "a".repeat(10_000),
  "letters outside ASCII": "Übersicht.md",
  "a bidi control": "a\u202Etxt.exe",
  "half a surrogate pair": "a\uD800",
  nothing: "",
};

function expectRefused(answer: Answer, kind: string, named: string): void {
  expect(answer.error, named).toMatchObject({ kind, retryable: false, sideEffects: "none" });
  expect(answer.text).toContain(named);
  expect(answer.text).toMatch(/was not called|Nothing was/);
  expect(answer.text.length).toBeLessThan(2_000);
}

describe.each([
  ["2025", raw2025Here],
  ["2026", raw2026Here],
] as const)("arguments in the %s era", (_era, open) => {
  const home = newSuiteHome();
  let server: RawCaller;
  beforeAll(async () => {
    server = await open(home, { elicitation: true });
  });

  afterEach(async () => {
    expect((await server.answer("list_files")).output).toEqual({ files: [] });
    expect(server.said.stdout + server.said.stderr).not.toMatch(/^\s+at /m);
    expect(server.said.stderr.length).toBeLessThan(10_000);
  });

  it.each(Object.entries(wrong))(
    "with %s are refused, the field is named and nothing is done",
    async (_what, calls) => {
      for (const [tool, args, named] of calls) {
        expectRefused(await server.answer(tool, args), "invalid_input", named);
      }
    },
  );

  it("with an invalid key are refused by every file tool [files.keys]", async () => {
    for (const key of Object.values(wrongKeys)) {
      const calls = [
        ["read_file", { key }],
        ["delete_file", { key }],
        ["write_file", { key, content: "x" }],
      ] as const;
      for (const [tool, args] of calls) {
        expectRefused(await server.answer(tool, args), "invalid_input", "key: ");
      }
    }
  });

  it("of 5 MB are refused for their size, and the server continues [input.strict]", async () => {
    const content = "x".repeat(5_000_000);
    const answer = await server.answer("write_file", { key: "big.txt", content });
    expectRefused(answer, "too_large", "content: ");
    const inKey = await server.answer("delete_file", { key: content });
    expectRefused(inKey, "invalid_input", "key: ");
    const asTool = await server.callTool(content, {});
    expect(JSON.stringify(asTool).length).toBeLessThan(2_000);
  });

  it("for a tool that does not exist are refused with the names of existing tools [errors.says-what-not]", async () => {
    for (const name of ["delete_everything", "__proto__", "constructor", "", "Delete_File"]) {
      const answer = await server.answer(name, { key: "a.txt" });
      expect(answer.error).toMatchObject({ kind: "not_found", sideEffects: "none" });
      expect(answer.text).toContain("Nothing was done.");
      expect(answer.text).toContain("delete_file");
    }
  });

  it("that are no object are refused by the protocol, and the server continues", async () => {
    for (const args of ["key", 7, ["a.txt"], null]) {
      const reply = await server.callTool("delete_file", {}, { arguments: args });
      if (reply.error === undefined) {
        expect(answerOf(reply.result).error?.kind).toBe("invalid_input");
      } else expect(reply.error.code).toBe(-32602);
    }
  });

  it("for an absent file get `not_found`, without an approval request", async () => {
    for (const tool of ["read_file", "delete_file"]) {
      const answer = await server.answer(tool, { key: "gone.txt" });
      expectRefused(answer, "not_found", "The file gone.txt does not exist.");
    }
    expect(await home.sql("SELECT 1 FROM tickets")).toEqual([]);
  });

  it("that look like code stay data", async () => {
    const args = JSON.parse('{"key":"a.txt","__proto__":{"content":"x"}}') as { key: string };
    expectRefused(await server.answer("write_file", args), "invalid_input", "__proto__");
    expect((await server.answer("search_emails", { query: `"' OR 1=1 --` })).isError).toBe(false);
    const prefix = await server.answer("list_files", { prefix: "%" });
    expectRefused(prefix, "invalid_input", "prefix: ");
  });
});
