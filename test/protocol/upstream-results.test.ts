import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { connect } from "./clients.ts";
import { startHttpHere } from "./http-server.ts";
import { runHere } from "./program.ts";
import { StdioHere } from "./stdio-here.ts";
import { callsOf, homeWithServers, nodeServer, openHere, reviewed } from "./upstream-home.ts";

const notes = nodeServer("notes-server.mjs");

describe("a result that was cut", () => {
  it("is read on to its end, in text and in structured content", async (t) => {
    const home = homeWithServers(t, { notes });
    await reviewed(home, "notes");
    const client = await openHere(home);
    expect((await client.list()).map(({ name }) => name)).toContain("read_result");
    const first = await client.call("notes__long_text");
    const { resultId, nextOffset } = first.structured ?? {};
    expect(resultId).toMatch(/^rs_[a-z2-7]{26}$/);
    expect(first.text).toContain(`Read on: read_result ${String(resultId)}, offset`);
    const parts: string[] = [];
    let offset = nextOffset;
    while (offset !== undefined) {
      const page = await client.call("read_result", { resultId, offset });
      expect(page.text).toMatch(/\[untrusted [0-9a-f]{12}: .*\]\n\d+\n\[end of untrusted/);
      const content = /^\[untrusted \w+\] (\d+) \[end/.exec(String(page.structured?.["content"]));
      expect(page.text).toContain(content?.[1]);
      parts.push(content?.[1] ?? "");
      offset = page.structured?.["nextOffset"];
    }
    expect(parts.length).toBeGreaterThan(1);
    expect(Number(nextOffset) + parts.join("").length).toBe(100_000);
    expect(parts.join("")).toBe("0123456789".repeat(10_000).slice(Number(nextOffset)));
  });

  // Such content was lost, because only cut text was stored.
  it("has its structured content read on, if that did not fit", async (t) => {
    const home = homeWithServers(t, { odd: nodeServer("odd-server.mjs") });
    await reviewed(home, "odd");
    const client = await openHere(home);
    const first = await client.call("odd__rows", { how: "many rows" });
    expect(first.text).toContain("1 found");
    expect(first.text).toContain("The rest contains the structured content.");
    const { resultId, nextOffset } = first.structured ?? {};
    let offset = nextOffset;
    let whole = "";
    while (offset !== undefined) {
      const page = await client.call("read_result", { resultId, offset });
      const given = String(page.structured?.["content"]);
      whole += /^\[untrusted \w+\] ([^]*) \[end of untrusted \w+\]$/.exec(given)?.[1] ?? "";
      offset = page.structured?.["nextOffset"];
    }
    expect(JSON.parse(whole)).toEqual({ rows: [`${"é".repeat(50_000)} last`] });
  });

  it("is not found by another caller, nor under another id", async (t) => {
    const home = homeWithServers(t, { notes });
    await reviewed(home, "notes");
    const at = startHttpHere(home);
    const alice = await connect(home, "v2 pinned", { over: "HTTP", at, as: "alice" });
    const bob = await connect(home, "v2 pinned", { over: "HTTP", at, as: "bob" });
    const { output } = await alice.call("notes__long_text");
    const resultId = String(output?.["resultId"]);
    const foreign = await bob.call("read_result", { resultId });
    expect(foreign.error).toMatchObject({ kind: "not_found", sideEffects: "none" });
    const absent = await bob.call("read_result", { resultId: "rs_aaaaaaaaaaaaaaaaaaaaaaaaaa" });
    expect(absent).toEqual(foreign);
    const own = await alice.call("read_result", { resultId, offset: 99_990 });
    expect(own.output).toMatchObject({ offset: 99_990, bytes: 10, truncated: false });
    const beyond = await alice.call("read_result", { resultId, offset: 100_001 });
    expect(beyond.error?.kind).toBe("invalid_input");
  });

  it("is judged by the policy", async (t) => {
    const home = homeWithServers(t, { notes }, { POLICY_FILE: "policy.json" });
    await reviewed(home, "notes");
    const policy = { deny: ["read_result"] };
    writeFileSync(join(home.dir, "policy.json"), JSON.stringify(policy), { mode: 0o600 });
    const check = await runHere(home, ["policy", "check"]);
    expect(check.code, check.stderr).toBe(0);
    const client = await openHere(home);
    expect((await client.list()).map(({ name }) => name)).not.toContain("read_result");
    const { structured } = await client.call("notes__long_text");
    const refused = await client.call("read_result", { resultId: structured?.["resultId"] });
    expect(refused.error?.kind).toBe("not_found");
  });

  it("needs a tool of an upstream server", async (t) => {
    const home = homeWithServers(t, {});
    const client = await openHere(home);
    expect((await client.list()).map(({ name }) => name)).not.toContain("read_result");
  });
});

describe("a result that fits", () => {
  it("has no id", async (t) => {
    const home = homeWithServers(t, { notes });
    await reviewed(home, "notes");
    const { structured } = await (await openHere(home)).call("notes__search_notes", { query: "a" });
    expect(structured).toMatchObject({ truncated: false });
    expect(structured).not.toHaveProperty("resultId");
  });
});

describe("a code that a server gave", () => {
  // A list and then one of its items needed approval on the same server.
  it("returns to its own reading tools, and leaves for another server only after approval", async (t) => {
    const home = homeWithServers(t, { notes, others: notes }, { APPROVAL_WAIT_MS: "100" });
    await reviewed(home, "notes", "others");
    const client = await openHere(home);
    const given = await client.call("notes__search_notes", { query: "83726154" });
    expect(given.text).toContain("found 83726154");
    const again = await client.call("notes__search_notes", { query: "item 83726154" });
    expect(again.text).toContain("found item 83726154");
    const elsewhere = await client.call("others__search_notes", { query: "83726154" });
    expect(elsewhere.error?.kind).toBe("approval_required");
    expect(callsOf(home, "others")).not.toContain("search 83726154");
  });
});

/** A server with a resource and a prompt, by hand. It notes what it is asked for. */
const generous = `
const { appendFileSync } = require("node:fs");
const results = {
  initialize: { protocolVersion: "2025-11-25", serverInfo: { name: "n", version: "1" }, capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} } },
  "tools/list": { tools: [{ name: "look", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }] },
  "tools/call": { content: [{ type: "text", text: "seen" }] },
  "resources/list": { resources: [{ uri: "note://canary", name: "canary" }] },
  "resources/read": { contents: [{ uri: "note://canary", text: "canary" }] },
  "prompts/list": { prompts: [{ name: "canary" }] },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  appendFileSync("calls.log", method + "\\n");
  if (id === undefined) return;
  const result = results[method];
  const error = { code: -32601, message: "not known" };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }));
});
`;

describe("the resources and prompts of a server", () => {
  it("are not offered, and the server is not asked for them", async (t) => {
    const home = homeWithServers(t, {
      generous: { command: process.execPath, args: ["-e", generous] },
    });
    await reviewed(home, "generous");
    const client = new Client({ name: "resources", version: "1.0.0" });
    await client.connect(new StdioHere(home));
    home.later(() => client.close());
    const called = await client.callTool({ name: "generous__look", arguments: {} });
    expect(JSON.stringify(called)).toContain("seen");
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    const { prompts } = await client.listPrompts();
    expect(resources.length + prompts.length).toBeGreaterThan(0);
    expect(JSON.stringify([resources, resourceTemplates, prompts])).not.toContain("canary");
    await expect(client.readResource({ uri: "note://canary" })).rejects.toThrow("note://canary");
    await expect(client.getPrompt({ name: "canary" })).rejects.toThrow("canary");
    const asked = callsOf(home, "generous").filter((method) =>
      /^(?:resources|prompts)/.test(method),
    );
    expect(asked).toEqual([]);
  });
});
