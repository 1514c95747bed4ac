import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer";
import { describe, expect, it, vi } from "vitest";
import { manyNames, manyServers } from "../fixtures/upstream-tools.ts";
import type { Home } from "./home.ts";
import { decideHere, runHere } from "./program.ts";
import { homeWithServers, nodeServer, openHere, reviewed } from "./upstream-home.ts";

const ours = ["read_result", "find_tools", "call_tool"];
const notes = { ...nodeServer("notes-server.mjs"), tools: { add_note: "high" } };

/** Creates a home in which the tools of one server are already too many. */
async function homeWithSearch(
  t: Parameters<typeof homeWithServers>[0],
  policy?: object,
): Promise<Home> {
  const env = { TOOL_LIST_TOKENS: "100", ...(policy && { POLICY_FILE: "policy.json" }) };
  const home = homeWithServers(t, { notes }, env);
  if (policy !== undefined)
    writeFileSync(join(home.dir, "policy.json"), JSON.stringify(policy), { mode: 0o600 });
  await reviewed(home, "notes");
  return home;
}

describe("many upstream tools", () => {
  it("cost at most 3 000 tokens beside all of our own, and are found and called", async (t) => {
    const home = homeWithServers(t, manyServers, {
      CALDAV_USERNAME: "me",
      CALDAV_PASSWORD: "secret",
      CALDAV_CALENDAR: "Work",
      TAVILY_API_KEY: "key",
    });
    await reviewed(home, ...manyNames);
    const client = await openHere(home);
    const tools = await client.list();
    expect(tools).toHaveLength(14 + ours.length);
    expect(countTokens(JSON.stringify(tools))).toBeLessThanOrEqual(3_000);
    for (const name of ours) {
      const tool = tools.find((each) => each.name === name);
      expect(countTokens(JSON.stringify(tool)), name).toBeLessThanOrEqual(180);
    }
    const query = "Which invoices are unpaid?";
    const { structured, text } = await client.call("find_tools", { query });
    const found = structured?.["tools"] as { name: string; risk: string; inputSchema: string }[];
    expect(found.length).toBeLessThanOrEqual(5);
    expect(found.map(({ name }) => name)).toContain("stripe__list_invoices");
    expect(text).toContain("stripe__list_invoices (low)");
    const name = "stripe__list_invoices";
    const { inputSchema } = found.find((each) => each.name === name)!;
    expect(inputSchema).toMatch(/^\[untrusted \w+\] \{"type":"object","properties":\{"customer"/);
    const result = await client.call("call_tool", { name, arguments: { status: "open" } });
    expect(result.text).toContain('did list_invoices {"status":"open"}');
  });

  // The diary said "An assistant find tools".
  it("are found, which the diary says in words of the past", async (t) => {
    const home = await homeWithSearch(t);
    const client = await openHere(home);
    await client.call("find_tools", { query: "notes" });
    // The audit record of low-risk calls is written a little later.
    await vi.waitFor(async () => {
      const { stdout } = await runHere(home, ["activity"]);
      expect(stdout).toContain("An assistant found tools of upstream servers");
    }, 10_000);
  });

  it("stay in the list up to TOOL_LIST_TOKENS", async (t) => {
    const home = homeWithServers(t, { notes });
    await reviewed(home, "notes");
    const names = (await (await openHere(home)).list()).map(({ name }) => name);
    expect(names).toContain("notes__search_notes");
    expect(names).toContain("read_result");
    expect(names).not.toContain("find_tools");
    const told = await runHere(home, ["doctor"]);
    expect(told.stdout).toContain("tool list: 6 upstream tools are listed");
    const tight = await homeWithSearch(t);
    const again = await runHere(tight, ["doctor"]);
    expect(again.stdout).toContain("because they exceed TOOL_LIST_TOKENS (100)");
    const searched = await openHere(tight);
    expect(searched.instructions()).toContain("find them with find_tools");
    const listed = (await searched.list()).map(({ name }) => name);
    expect(listed.filter((name) => name.includes("__"))).toEqual([]);
    expect(listed).toEqual(expect.arrayContaining(ours));
  });
});

describe("call_tool", () => {
  it("is the call of the named tool: its request, effect, risk and record", async (t) => {
    const home = await homeWithSearch(t);
    const client = await openHere(home);
    const args = { title: "a", more: 1 };
    const asked = await client.call("call_tool", { name: "notes__add_note", arguments: args });
    expect(asked.error).toMatchObject({ kind: "approval_required" });
    const { id = "" } = asked.error?.approval ?? {};
    expect(asked.error?.approval).toMatchObject({ tool: "notes__add_note" });
    // The same call under its own name is the same request.
    const again = await client.call("notes__add_note", args);
    expect(again.error?.approval?.id).toBe(id);
    const shown = await runHere(home, ["approvals", "show", id]);
    expect(shown.stdout).toContain('Use "add_note" of the server notes');
    await decideHere(home, "approve", id);
    const call = { name: "notes__add_note", arguments: args };
    await expect
      .poll(async () => (await client.call("call_tool", call)).text, { timeout: 30_000 })
      .toContain("added a");
    const { stdout } = await runHere(home, ["audit", "list", "--json"]);
    expect(stdout).toContain('"tool":"notes__add_note"');
    expect(stdout).not.toContain('"tool":"call_tool"');
  });

  // Many models write the arguments as text, and the call was refused.
  it("reads arguments in JSON text, and asks the person about what it read", async (t) => {
    const home = await homeWithSearch(t);
    const client = await openHere(home);
    const text = '{"title": "b", "title": "a", "more": 1}';
    const asked = await client.call("call_tool", { name: "notes__add_note", arguments: text });
    const { id = "" } = asked.error?.approval ?? {};
    const same = await client.call("notes__add_note", { title: "a", more: 1 });
    expect(same.error?.approval?.id).toBe(id);
    const { stdout } = await runHere(home, ["approvals", "show", id]);
    expect(stdout).toMatch(/title.*"a"/);
    expect(stdout).not.toContain('"b"');
    for (const wrong of ["title=a", "[1]", "null", '"{}"', '{"title": "a"'])
      expect(
        (await client.call("call_tool", { name: "notes__add_note", arguments: wrong })).text,
      ).toContain("arguments: must be a JSON object, or text that is one");
  });

  it("refuses arguments of its own and of the named tool", async (t) => {
    const client = await openHere(await homeWithSearch(t));
    for (const [args, named] of [
      [{}, "name"],
      [{ name: "notes__search_notes", arguments: "query" }, "arguments"],
      [{ name: "notes__search_notes", other: 1 }, "other"],
      [{ name: "notes__search_notes", arguments: { query: 1 } }, "query"],
      // Such a call ended in an internal error.
      [
        { name: "notes__search_notes", arguments: '{ "query": "a", "more": 1e400 }' },
        "more is a number that is too large",
      ],
    ] as const) {
      const { error, text } = await client.call("call_tool", args);
      expect(error).toMatchObject({ kind: "invalid_input", sideEffects: "none" });
      expect(text).toContain(named);
    }
    const unknown = await client.call("call_tool", { name: "notes__nothing" });
    expect(unknown.error?.kind).toBe("not_found");
    const itself = await client.call("call_tool", { name: "call_tool", arguments: {} });
    expect(itself.text).toContain("call_tool cannot call itself");
  });

  it("is explained as the named tool", async (t) => {
    const home = await homeWithSearch(t, {});
    const call = JSON.stringify({ name: "notes__add_note", arguments: { title: "a", more: 1 } });
    const { stdout } = await runHere(home, ["policy", "explain", "call_tool", call]);
    expect(stdout).toContain("ask: It needs your approval.");
    // The explanation of a call of itself said that it runs.
    const named = JSON.stringify({ name: "call_tool" });
    const itself = await runHere(home, ["policy", "explain", "call_tool", named]);
    expect(itself.code).toBe(1);
    expect(itself.stderr).toContain("call_tool cannot call itself");
    expect(itself.stdout).not.toContain("run:");
  });
});

describe("the policy in search mode", () => {
  it("hides denied tools, and reports the risk that riskFloors sets", async (t) => {
    const home = await homeWithSearch(t, {
      deny: ["notes__delete_note"],
      riskFloors: { notes__search_notes: "high" },
    });
    const client = await openHere(home);
    const { structured } = await client.call("find_tools", { query: "search or delete notes" });
    const found = structured?.["tools"] as { name: string; risk: string }[];
    expect(found).toContainEqual(
      expect.objectContaining({ name: "notes__search_notes", risk: "high" }),
    );
    expect(found.map(({ name }) => name)).not.toContain("notes__delete_note");
    const denied = await client.call("call_tool", {
      name: "notes__delete_note",
      arguments: { title: "a" },
    });
    expect(denied.error?.kind).toBe("not_found");
    const call = { name: "notes__search_notes", arguments: { query: "a" } };
    expect((await client.call("call_tool", call)).error?.kind).toBe("approval_required");
  });

  it("can deny call_tool itself", async (t) => {
    const client = await openHere(await homeWithSearch(t, { deny: ["call_tool"] }));
    expect((await client.list()).map(({ name }) => name)).not.toContain("call_tool");
    const call = { name: "notes__search_notes", arguments: { query: "a" } };
    expect((await client.call("call_tool", call)).error?.kind).toBe("not_found");
  });
});
