import { describe, expect, it } from "vitest";
import { z } from "zod";
import { newHome } from "./home.ts";
import { runHere, runProgram } from "./program.ts";
import { callsOf, homeWithServers, nodeServer, reviewed } from "./upstream-home.ts";

const has = (fields: object): unknown => expect.objectContaining(fields);
const among = (fields: object): unknown => expect.arrayContaining([has(fields)]);
const name = "delete_file";
const schema = has({ type: "object" });

/** The feature that distinguishes each format from the others. */
const formats: readonly (readonly [format: string, whole: unknown])[] = [
  ["mcp", among({ name, inputSchema: schema, outputSchema: schema })],
  ["openai", among({ type: "function", name, strict: true, parameters: schema })],
  ["anthropic", among({ name, input_schema: schema })],
  ["gemini", [{ functionDeclarations: among({ name, parameters: has({ type: "OBJECT" }) }) }]],
  ["ollama", among({ type: "function", function: has({ name, parameters: schema }) })],
  ["ai-sdk", has({ [name]: has({ inputSchema: schema }) })],
];

describe.concurrent("countersign catalog [catalog.command]", () => {
  it("lists every tool with its risk, for people and as data", async (t) => {
    const home = newHome(t);
    const list = await runProgram(home, ["catalog", "list"]);
    expect(list).toMatchObject({ code: 0, stderr: "" });
    expect(list.stdout).toMatch(/^delete_file +high /m);
    const { stdout } = await runProgram(home, ["catalog", "list", "--json"]);
    const tools = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { name: string });
    expect(tools).toHaveLength(14);
    const all = await runHere(newHome(t, { FILE_SEARCH: "true" }), ["catalog", "list"]);
    expect(all.stdout).toMatch(/^search_files +low /m);
    expect(tools).toContainEqual(
      expect.objectContaining({ name: "write_file", risk: "medium", works: true }),
    );
  });

  it("shows one page or all, and reports an absent one", async (t) => {
    const home = newHome(t);
    const one = await runHere(home, ["catalog", "docs", "delete_file"]);
    expect(one.stdout.match(/^# .+$/gm)).toEqual(["# delete_file"]);
    const all = await runHere(home, ["catalog", "docs"]);
    expect(all.stdout.match(/^# .+$/gm)).toHaveLength(14);
    const none = await runHere(home, ["catalog", "docs", "nothing"]);
    expect(none).toMatchObject({ code: 1, stdout: "", stderr: 'There is no tool "nothing".\n' });
  });

  it.for(formats)("exports the tools in the format of %s", async ([format, whole], t) => {
    const { code, stdout } = await runHere(newHome(t), ["catalog", "export", "--format", format]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(whole);
  });

  it("parses calls of any provider, says what is wrong with others, and runs nothing", async (t) => {
    const home = newHome(t);
    const calls = [
      {
        type: "function_call",
        name: "write_file",
        arguments: '{"key":"a.md","content":"x","ifMatch":null}',
      },
      { type: "tool_use", id: "1", name: "list_files", input: { limit: "5" } },
      { functionCall: { name: "delete_file", args: { key: "../a" } } },
      { function: { name: "no_tool", arguments: {} } },
      { hello: "world" },
    ];
    const input = calls.map((call) => JSON.stringify(call)).join("\n");
    const { code, stdout } = await runHere(home, ["catalog", "parse"], { input });
    expect(code).toBe(1);
    const plan = z.looseObject({
      ok: z.boolean(),
      error: z.looseObject({ kind: z.string() }).optional(),
    });
    const plans = stdout
      .trim()
      .split("\n")
      .map((line) => plan.parse(JSON.parse(line)));
    expect(plans[0]).toEqual({
      ok: true,
      tool: "write_file",
      risk: "medium",
      arguments: { key: "a.md", content: "x", encoding: "utf-8", createOnly: false },
    });
    expect(plans[1]).toMatchObject({ ok: true, arguments: { limit: 5 } });
    expect(plans.slice(2).map(({ error }) => error?.kind)).toEqual([
      "invalid_input",
      "not_found",
      "invalid_input",
    ]);
    // Not even a database came into being.
    await expect(home.sql("SELECT * FROM tickets")).rejects.toThrow(/no such table/);
  });

  it("also parses one value or a list, and names the line of invalid JSON", async (t) => {
    const home = newHome(t);
    const list = JSON.stringify([{ name: "list_files", arguments: "{}" }], undefined, 2);
    const read = await runHere(home, ["catalog", "parse"], { input: list });
    expect(read).toMatchObject({ code: 0, stderr: "" });
    const broken = await runHere(home, ["catalog", "parse"], { input: '{"name":"x"}\nnot' });
    expect(broken).toMatchObject({ code: 1, stderr: "Line 2 is not JSON. Nothing was read.\n" });
  });

  // The export had these tools, and the list did not.
  it("lists reviewed tools of upstream servers with their risks", async (t) => {
    const home = homeWithServers(t, { notes: nodeServer("notes-server.mjs") });
    await reviewed(home, "notes");
    const list = await runHere(home, ["catalog", "list"]);
    expect(list.stdout).toMatch(/^notes__search_notes +low +\S/m);
    expect(list.stdout).toMatch(/^notes__delete_note +high/m);
    expect(list.stdout).toMatch(/^read_result +low /m);
    const { stdout } = await runHere(home, ["catalog", "list", "--json"]);
    expect(stdout).toContain('{"name":"notes__search_notes","risk":"low","operation":"reads"');
    const page = await runHere(home, ["catalog", "docs", "notes__search_notes"]);
    expect(page.stderr).toContain("The tools of upstream servers have no pages here.");
  });

  it("exports and reads reviewed tools of upstream servers too", async (t) => {
    const home = homeWithServers(t, { notes: nodeServer("notes-server.mjs") });
    await reviewed(home, "notes");
    const before = callsOf(home, "notes");
    for (const [format] of formats) {
      const { stdout } = await runHere(home, ["catalog", "export", "--format", format]);
      expect(stdout, format).toContain("notes__search_notes");
      expect(stdout, format).toContain('"maxLength": 100');
    }
    const response = {
      content: [
        { type: "text", text: "I search." },
        { type: "tool_use", id: "a1", name: "notes__search_notes", input: { query: "a" } },
        { type: "tool_use", id: "a2", name: "notes__search_notes", input: { query: 1 } },
      ],
    };
    const { code, stdout } = await runHere(home, ["catalog", "parse", "--format", "anthropic"], {
      input: JSON.stringify(response),
    });
    expect(code).toBe(1);
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([
      { ok: true, id: "a1", tool: "notes__search_notes", risk: "low", arguments: { query: "a" } },
      { ok: false, id: "a2", error: { kind: "invalid_input" } },
    ]);
    expect(callsOf(home, "notes")).toEqual(before);
  });

  // Model services refuse each request with such a tool.
  it("exports no tool with an argument whose name model services refuse, and says so", async (t) => {
    const home = homeWithServers(t, { rows: nodeServer("filter-server.mjs") });
    await reviewed(home, "rows");
    const run = await runHere(home, ["catalog", "export", "--format", "openai"]);
    expect(run.stdout).toContain('"rows__get_row"');
    expect(run.stdout).not.toContain("rows__list_rows");
    expect(run.stderr).toBe(
      "rows__list_rows is left out, because model services refuse the name of an argument.\n",
    );
  });
});
