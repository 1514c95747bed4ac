import { describe, expect, it } from "vitest";
import { type Answer, answerOf } from "./answer.ts";
import { newHome, storedFile } from "./home.ts";
import { type RawCaller, raw2025, raw2026 } from "./raw-server.ts";

type Call = readonly [tool: string, args: Record<string, unknown>, named: string];

/** Calls that cannot be made, each with what the answer must name. */
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

describe.concurrent.each([
  ["2025", raw2025],
  ["2026", raw2026],
] as const)("arguments in the %s era", (_era, open) => {
  it.for(Object.entries(wrong))(
    "with %s are refused, the field is named and nothing is done",
    async ([, calls], t) => {
      const server = await open(newHome(t), { elicitation: false });
      for (const [tool, args, named] of calls) {
        expectRefused(await server.answer(tool, args), "invalid_input", named);
      }
    },
  );

  it("with a key that is no key are refused by every tool for files", async (t) => {
    const home = newHome(t);
    const server = await open(home, { elicitation: false });
    for (const key of Object.values(wrongKeys)) {
      for (const tool of ["read_file", "delete_file"]) {
        expectRefused(await server.answer(tool, { key }), "invalid_input", "key: ");
      }
      expectRefused(
        await server.answer("write_file", { key, content: "x" }),
        "invalid_input",
        "key: ",
      );
    }
    expect((await server.answer("list_files")).output).toEqual({ files: [] });
  });

  it("of 5 MB are refused by their size, and the server goes on", async (t) => {
    const home = newHome(t);
    const server = await open(home, { elicitation: false });
    const content = "x".repeat(5_000_000);
    const answer = await server.answer("write_file", { key: "big.txt", content });
    expectRefused(answer, "too_large", "content: ");
    const inKey = await server.answer("delete_file", { key: content });
    expectRefused(inKey, "invalid_input", "key: ");
    const asTool = await server.callTool(content, {});
    expect(JSON.stringify(asTool).length).toBeLessThan(2_000);
    expect((await server.answer("list_files")).output).toEqual({ files: [] });
    expect(server.said.stderr.length).toBeLessThan(10_000);
  });

  it("for a tool that does not exist are refused with the names of those that do", async (t) => {
    const server = await open(newHome(t), { elicitation: false });
    for (const name of ["delete_everything", "__proto__", "constructor", "", "Delete_File"]) {
      const answer = await server.answer(name, { key: "a.txt" });
      expect(answer.error).toMatchObject({ kind: "not_found", sideEffects: "none" });
      expect(answer.text).toContain("Nothing was done.");
      expect(answer.text).toContain("delete_file");
    }
  });

  it("that are no object are refused in the protocol's own words, and the server goes on", async (t) => {
    const server = await open(newHome(t), { elicitation: false });
    for (const args of ["key", 7, ["a.txt"], null] as unknown as Record<string, unknown>[]) {
      const reply = await server.callTool("delete_file", args);
      if (reply.error === undefined) {
        expect(answerOf(reply.result).error?.kind).toBe("invalid_input");
      } else expect(reply.error.code).toBe(-32602);
    }
    expect((await server.answer("list_files")).isError).toBe(false);
  });

  it("for a file that is not there get `not_found`, and nobody is asked", async (t) => {
    const home = newHome(t);
    const server = await open(home, { elicitation: true });
    const calls = [
      ["read_file", {}],
      ["delete_file", {}],
    ] as const;
    for (const [tool, more] of calls) {
      const answer = await server.answer(tool, { key: "gone.txt", ...more });
      expectRefused(answer, "not_found", "There is no file gone.txt.");
    }
    expect(await home.sql("SELECT 1 FROM tickets")).toEqual([]);
    expect(await storedFile(home, "gone.txt")).toEqual({ there: false, undoCopies: 0 });
  });

  it("that a mind could take for code stay data", async (t) => {
    const server = await open(newHome(t), { elicitation: false });
    const args = JSON.parse('{"key":"a.txt","content":"x","__proto__":{"createOnly":true}}') as {
      key: string;
    };
    await expectNoStack(server, "write_file", args);
    expect((await server.answer("search_emails", { query: `"' OR 1=1 --` })).isError).toBe(false);
    expect((await server.answer("list_files", { prefix: "%" })).error?.kind).toBe("invalid_input");
    expect((await server.answer("list_files", { prefix: "_" })).output).toEqual({ files: [] });
  });
});

async function expectNoStack(
  server: RawCaller,
  tool: string,
  args: Record<string, unknown>,
): Promise<void> {
  await server.answer(tool, args);
  expect(server.said.stdout + server.said.stderr).not.toMatch(/^\s+at /m);
}
