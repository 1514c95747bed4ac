import { deserializeMessage } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { isPlainCall } from "../../src/mcp/plain-calls.ts";

const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_files" } };

describe("a plain call", () => {
  it.each([
    call,
    { ...call, id: "a" },
    { ...call, params: { name: "list_files", arguments: { prefix: "a/" } } },
    { ...call, params: { name: "list_files", _meta: { progressToken: 1 } } },
  ])("has a form that the SDK accepts too: %j", (message) => {
    expect(isPlainCall(message)).toBe(true);
    expect(deserializeMessage(JSON.stringify(message))).toEqual(message);
  });

  it.each([
    undefined,
    [],
    [call],
    { ...call, jsonrpc: "1.0" },
    { ...call, id: null },
    { ...call, id: 1.5 },
    { ...call, id: undefined },
    { ...call, method: "tools/list" },
    { ...call, params: undefined },
    { ...call, params: { name: 1 } },
    { ...call, params: { name: "list_files", arguments: [] } },
    { ...call, params: { name: "list_files", task: {} } },
    { ...call, params: { name: "list_files", _meta: { other: 1 } } },
    { ...call, result: {} },
    JSON.parse(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"},"__proto__":1}',
    ),
  ])("has no other form: %j", (message) => {
    expect(isPlainCall(message)).toBe(false);
  });
});
