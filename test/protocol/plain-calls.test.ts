import { expect, it, vi } from "vitest";
import { newHome, newestTicket } from "./home.ts";
import { bearer, startHttpHere } from "./http-server.ts";
import { startRawHttp } from "./raw-http.ts";
import { raw2025Here, raw2026Here } from "./raw-server.ts";

const key = "plan.md";

it("calls of the 2025 era in plain and in other forms have the same result", async (t) => {
  const server = await raw2025Here(newHome(t), { elicitation: false });
  await server.answer("write_file", { key, content: "a plan" });
  const { result: plain } = await server.request("tools/call", { name: "list_files" });
  expect(JSON.stringify(plain)).toContain(key);
  for (const more of [
    { arguments: {} },
    { _meta: {} },
    { _meta: { progressToken: "a word", "example.org/of-the-client": { deep: true } } },
    { _meta: { "io.modelcontextprotocol/clientInfo": { name: "another", version: "1" } } },
    { inputResponses: {}, requestState: "made-up" },
    { unknown: true },
  ]) {
    const { result } = await server.request("tools/call", { name: "list_files", ...more });
    expect(result).toEqual(plain);
  }
  for (const wrong of [{}, { name: 7 }, { name: "list_files", arguments: [] }])
    expect((await server.request("tools/call", wrong)).error?.code).toBe(-32_602);
});

// The SDK dropped the field in silence, and the call ran with other arguments than the client gave.
it.for([
  ["2025", "stdio"],
  ["2025", "HTTP"],
  ["2026", "stdio"],
  ["2026", "HTTP"],
] as const)(
  "a call with a field named __proto__ is refused and recorded in each form: %s over %s",
  async ([era, transport], t) => {
    const home = newHome(t);
    const how = { elicitation: false, over: transport };
    const server = era === "2025" ? await raw2025Here(home, how) : raw2026Here(home, how);
    const args = JSON.parse('{"prefix":"a/","__proto__":{"x":1}}') as Record<string, unknown>;
    const own = { "example.org/of-the-client": true };
    const forms = era === "2025" ? [{}, { _meta: own }] : [{}];
    for (const more of forms) {
      const refused =
        era === "2025"
          ? await server.request("tools/call", { name: "list_files", arguments: args, ...more })
          : await server.callTool("list_files", args);
      expect(JSON.stringify(refused)).toMatch(/list_files was not called: .*__proto__/);
      expect(JSON.stringify(await server.callTool("list_files", { prefix: "a/" }))).not.toContain(
        "not called",
      );
    }
    const recorded = "SELECT tool FROM audit WHERE type = 'refused'";
    await expect.poll(() => home.sql(recorded)).toEqual(forms.map(() => ({ tool: "list_files" })));
  },
);

// Only a single message was checked, so a call in a batch ran with other arguments than the client gave.
it("a call with a field named __proto__ is refused in a batch", async (t) => {
  const home = newHome(t);
  const at = startHttpHere(home);
  const client = startRawHttp(home, { at });
  await client.request("initialize", {
    protocolVersion: "2025-03-26",
    capabilities: {},
    clientInfo: { name: "raw", version: "1.0.0" },
  });
  const call = { jsonrpc: "2.0", method: "tools/call", params: { name: "list_files" } };
  const text = JSON.stringify([
    { ...call, id: 8 },
    { ...call, id: 9, params: { ...call.params, arguments: {} } },
  ]).replace('"arguments":{}', '"arguments":{"__proto__":{"x":1}}');
  const answered = await fetch(await at.url, {
    method: "POST",
    headers: {
      ...bearer("alice"),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-session-id": client.sessionId() ?? "",
    },
    body: text,
  });
  const answers = await answered.text();
  expect(answers).toContain("No files.");
  expect(answers).toMatch(/list_files was not called: .*__proto__/);
});

it("a call of the 2025 era that was cancelled has no answer", async (t) => {
  const home = newHome(t, { APPROVAL_WAIT_MS: "45000" });
  const server = await raw2025Here(home, { elicitation: false });
  await server.answer("write_file", { key, content: "a plan" });
  server.request("tools/call", { name: "delete_file", arguments: { key } }).catch(() => undefined);
  await vi.waitFor(() => newestTicket(home), 30_000);
  // Requests are numbered: initialize, write_file, delete_file.
  server.notify("notifications/cancelled", { requestId: 3, reason: "no longer needed" });
  for (let count = 0; count < 3; count += 1) await server.answer("list_files");
  expect(server.messages.map(({ id }) => id)).toEqual([1, 2, 4, 5, 6]);
});
