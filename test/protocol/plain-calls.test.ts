import { expect, it, vi } from "vitest";
import { newHome, newestTicket } from "./home.ts";
import { raw2025Here } from "./raw-server.ts";

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
it.for(["stdio", "HTTP"] as const)(
  "a call with a field named __proto__ is refused in each form over %s",
  async (transport, t) => {
    const server = await raw2025Here(newHome(t), { elicitation: false, over: transport });
    const given = (arguments_: string, more = {}) =>
      server.request("tools/call", {
        name: "list_files",
        arguments: JSON.parse(arguments_) as object,
        ...more,
      });
    for (const more of [{}, { _meta: { "example.org/of-the-client": true } }]) {
      const refused = await given('{"prefix":"a/","__proto__":{"x":1}}', more);
      expect(JSON.stringify(refused)).toMatch(/was not called: .*__proto__/);
      expect(JSON.stringify(await given('{"prefix":"a/"}', more))).not.toContain("not called");
    }
  },
);

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
