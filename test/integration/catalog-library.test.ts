import { type TestContext, afterEach, describe, expect, it } from "vitest";
import type * as Library from "../../src/app/catalog.ts";
import { newestTicket, operatorSecret } from "../protocol/home.ts";
import { decideAtTerminal } from "../protocol/program.ts";
import { callsOf, homeWithServers, nodeServer, reviewed } from "../protocol/upstream-home.ts";

/** Imported as by a program: through the package's own exports, and therefore from the built code. */
const entry = "countersign/catalog";
const { openCatalog } = (await import(/* @vite-ignore */ entry)) as typeof Library;

const before = { ...process.env };

afterEach(() => {
  process.env = { ...before };
});

async function setUp(t: TestContext) {
  const notes = nodeServer("notes-server.mjs");
  const home = homeWithServers(t, { notes }, { APPROVAL_WAIT_MS: "100" });
  await reviewed(home, "notes");
  Object.assign(process.env, home.env);
  const catalog = await openCatalog({ client: "catalog test" });
  home.later(() => catalog.close());
  return { home, catalog };
}

const listFiles = { name: "list_files", arguments: "{}" };
const search = { name: "notes__search_notes", args: { query: "milk" } };

/** A whole response of each provider, with one call of ours and one of an upstream server. */
const responses: readonly (readonly [Library.CatalogFormat, unknown, string[]])[] = [
  [
    "openai",
    {
      output: [
        { type: "reasoning" },
        { type: "function_call", call_id: "c1", ...listFiles },
        {
          type: "function_call",
          call_id: "c2",
          name: search.name,
          arguments: JSON.stringify(search.args),
        },
      ],
    },
    ["c1", "c2"],
  ],
  [
    "anthropic",
    {
      content: [
        { type: "text", text: "I look." },
        { type: "tool_use", id: "a1", name: "list_files", input: {} },
        { type: "tool_use", id: "a2", name: search.name, input: search.args },
      ],
    },
    ["a1", "a2"],
  ],
  [
    "gemini",
    {
      candidates: [
        {
          content: {
            parts: [
              { text: "I look." },
              { functionCall: { id: "g1", name: "list_files", args: {} } },
              { functionCall: { id: "g2", name: search.name, args: search.args } },
            ],
          },
        },
      ],
    },
    ["g1", "g2"],
  ],
  [
    "ollama",
    {
      message: {
        tool_calls: [
          { id: "o1", function: { name: "list_files", arguments: {} } },
          { id: "o2", function: { name: search.name, arguments: search.args } },
        ],
      },
    },
    ["o1", "o2"],
  ],
  [
    "ai-sdk",
    {
      toolCalls: [
        { toolCallId: "s1", toolName: "list_files", input: {} },
        { toolCallId: "s2", toolName: search.name, input: search.args },
      ],
    },
    ["s1", "s2"],
  ],
];

describe("countersign/catalog", () => {
  it("translates, parses and runs the calls of every provider", async (t) => {
    const { home, catalog } = await setUp(t);
    const risks = Object.fromEntries(catalog.tools.map(({ name, risk }) => [name, risk]));
    expect(risks).toMatchObject({ delete_file: "high", notes__search_notes: "low" });
    // The calendar tools are not offered, because no calendar is configured.
    expect(risks).not.toHaveProperty("create_event");
    for (const [format, response, ids] of responses) {
      const translated = JSON.stringify(catalog.translate(catalog.tools, format));
      expect(translated).toContain("notes__search_notes");
      const read = await catalog.parse(response, format);
      expect(read, format).toEqual([
        { id: ids[0], tool: "list_files", risk: "low", arguments: { limit: 100 } },
        { id: ids[1], tool: search.name, risk: "low", arguments: search.args },
      ]);
    }
    // Nothing has run yet.
    expect(callsOf(home, "notes").filter((line) => line.startsWith("search"))).toEqual([]);
    const [, planned] = await catalog.parse(responses[0]![1], "openai");
    if (planned === undefined || "error" in planned) throw new Error("no call");
    const answer = await catalog.run(planned);
    expect(answer.isError).toBe(false);
    expect(answer.text).toContain("found milk");
  });

  // Such calls were "not a tool call in a known form", or their arguments "expected object, received string".
  it("parses a call without arguments in the forms of the providers", async (t) => {
    const { catalog } = await setUp(t);
    const name = "list_files";
    const forms: readonly (readonly [Library.CatalogFormat, unknown])[] = [
      ["openai", { output: [{ type: "function_call", call_id: "c", name, arguments: "" }] }],
      ["openai", { choices: [{ message: { tool_calls: [{ function: { name } }] } }] }],
      ["gemini", { candidates: [{ content: { parts: [{ functionCall: { name } }] } }] }],
      ["ollama", { message: { tool_calls: [{ function: { name, arguments: null } }] } }],
      ["mcp", { method: "tools/call", params: { name } }],
    ];
    for (const [format, response] of forms) {
      const [call] = await catalog.parse(response, format);
      expect(call, format).toMatchObject({ tool: name, arguments: { limit: 100 } });
    }
    const [cut] = await catalog.parse({ name, arguments: '{"prefix": "no' }, "mcp");
    expect(cut).toMatchObject({
      error: {
        message: "list_files was not called: its arguments are text that is not a JSON object.",
      },
    });
    // The fault was "Cannot read properties of undefined (reading 'safeParse')".
    const nonsense = "nonsense" as "mcp";
    const sentence =
      'There is no format "nonsense". Nothing was done. Use one of: mcp, openai, anthropic, gemini, ollama, ai-sdk.';
    await expect(catalog.parse({ name }, nonsense)).rejects.toThrow(sentence);
    expect(() => catalog.translate([], nonsense)).toThrow(sentence);
  });

  // The text said "Read on: read_result", and there was no such tool.
  it("has the tool that reads the rest of a long result of an upstream server", async (t) => {
    const { catalog } = await setUp(t);
    const input = { resultId: "rs_unknown", offset: 32_000 };
    expect(catalog.tools.map(({ name }) => name)).toContain("read_result");
    expect(JSON.stringify(catalog.translate(catalog.tools, "openai"))).toContain('"read_result"');
    const [call] = await catalog.parse(
      { content: [{ type: "tool_use", id: "1", name: "read_result", input }] },
      "anthropic",
    );
    if (call === undefined || "error" in call) throw new Error("no call");
    expect((await catalog.run(call)).text).toContain("There is no such result");
  });

  it("says what is wrong with each faulty call, and runs nothing", async (t) => {
    const { catalog } = await setUp(t);
    const calls = [
      { name: "nothing", arguments: {} },
      { name: "notes__search_notes", arguments: { query: 1 } },
      { name: "delete_file", arguments: { file: "a" } },
      "no call",
    ];
    const read = await catalog.parse(calls, "mcp");
    // The caller read "internal: The server failed", and the log a fault of the program.
    for (const faulty of [...read, calls[0], undefined])
      await expect(catalog.run(faulty as Library.CatalogCall)).rejects.toThrow(
        "This is not a valid call that `parse` returned. Nothing was done.",
      );
    expect(read.map((one) => ("error" in one ? one.error.kind : ""))).toEqual([
      "not_found",
      "invalid_input",
      "invalid_input",
      "invalid_input",
    ]);
  });

  it("asks a person before a high-risk call of an upstream server", async (t) => {
    const { home, catalog } = await setUp(t);
    const [call] = await catalog.parse(
      { name: "notes__delete_note", arguments: { title: "a" } },
      "mcp",
    );
    if (call === undefined || "error" in call) throw new Error("no call");
    const asked = await catalog.run(call);
    expect(asked).toMatchObject({ isError: true });
    expect(asked.text).toContain("approval_required");
    expect(callsOf(home, "notes")).not.toContain("delete a");
    await decideAtTerminal(home, "approve", await newestTicket(home), operatorSecret);
    await expect
      .poll(async () => (await catalog.run(call)).text, { timeout: 30_000 })
      .toContain("deleted a");
    expect(callsOf(home, "notes").filter((line) => line === "delete a")).toHaveLength(1);
  });
});
