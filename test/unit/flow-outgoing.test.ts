import { describe, expect, it } from "vitest";
import { outgoingText } from "../../src/core/flow/outgoing.ts";
import { upstreamTool } from "../../src/upstream/upstream-tool.ts";
import { quietLog } from "../fakes/quiet-log.ts";

describe("the outgoing text of an upstream tool", () => {
  const definition = {
    name: "store",
    description: "Stores.",
    inputSchema: { type: "object", properties: { title: {}, rows: {} } },
  };
  const tool = upstreamTool(
    {
      name: "notes",
      target: { kind: "http", url: "https://example.org/mcp", headers: {} },
      identity: "notes",
      tools: {},
      reads: "private",
      sends: true,
      preview: {},
      timeoutMs: 1_000,
    },
    { definition, hash: "", risk: "low", reviewedBy: "", reviewedAt: "" },
    "low",
    {
      send: () => Promise.resolve({ isError: false, blocks: [] }),
      confirm: () => Promise.resolve(),
      compile: () => () => Promise.resolve([]),
      reviewed: () => undefined,
      log: quietLog,
    },
  );

  it("has undeclared field names also in a row", () => {
    const rows = { "we will": 1, "dismiss Henrik": 2, "Salzmann on Monday": 3 };
    const text = outgoingText(tool, { title: "a", rows });
    expect(text.split("\n").at(-1)).toBe("we will dismiss Henrik Salzmann on Monday");
  });

  it("has declared field names once", () => {
    expect(outgoingText(tool, { title: "a", rows: "b" })).toBe("title\na\nrows\nb");
  });
});
