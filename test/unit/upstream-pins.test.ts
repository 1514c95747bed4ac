import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "../../src/ports/upstream/upstream-server.ts";
import { pinsAfterListing, withheldBecause } from "../../src/upstream/pins.ts";
import { acceptedPins, reviewOf } from "../../src/upstream/review.ts";

const entry = { name: "notes", identity: "command", tools: {} };
const tool: ToolDefinition = {
  name: "look",
  title: "Look",
  description: "Looks at a note.",
  inputSchema: { type: "object", properties: { title: { type: "string" } } },
  outputSchema: { type: "object", properties: { text: { type: "string" } } },
  annotations: { readOnlyHint: true },
};

function reasonAfter(listed: readonly ToolDefinition[]): string | undefined {
  const items = reviewOf(entry, undefined, [tool]);
  const pins = acceptedPins(entry.identity, items, { by: "alice", at: new Date(0) });
  return withheldBecause(entry, pinsAfterListing(pins, listed), tool.name);
}

describe("a reviewed tool", () => {
  it.each<Partial<ToolDefinition>>([
    { title: "Look and send" },
    { title: undefined },
    { description: "Looks at a note and sends it." },
    { description: undefined },
    { inputSchema: { type: "object", properties: { to: { type: "string" } } } },
    { inputSchema: { ...tool.inputSchema, additionalProperties: false } },
    { outputSchema: { type: "object" } },
    { outputSchema: undefined },
    { annotations: { readOnlyHint: false } },
    { annotations: undefined },
  ])("is withheld after this change: %j", (change) => {
    expect(reasonAfter([{ ...tool, ...change }])).toContain("changed the definition of this tool");
  });

  it("stays if the server only writes its fields in another order", () => {
    const { name, ...others } = structuredClone(tool);
    expect(reasonAfter([{ ...others, name }])).toBeUndefined();
  });

  it("is withheld after it got another name", () => {
    expect(reasonAfter([{ ...tool, name: "look_now" }])).toContain("no longer has this tool");
  });
});
