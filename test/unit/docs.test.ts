import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toolsTable } from "../../src/app/build/tools-table.ts";
import type { ToolContract } from "../../src/core/tool/tool.ts";

const contract: ToolContract = {
  name: "find_things",
  title: "Find things",
  description: "Finds things.",
  risk: "low",
  operation: "reads",
  openWorld: false,
  reads: "none",
  sends: false,
  idempotent: true,
  needs: [],
  input: z.strictObject({
    query: z.string().optional(),
    limit: z.int().min(1).max(50).default(10),
    order: z.enum(["newest", "oldest"]),
    offset: z.int(),
  }),
  output: z.object({
    things: z.array(z.object({ id: z.string(), from: z.object({ name: z.string().optional() }) })),
    tags: z.array(z.string()).optional(),
  }),
};

describe("the table of tools", () => {
  it("shows every field, even nested ones, with optionality, default and bounds", () => {
    expect(toolsTable([contract], ["find_things"]).split("\n").at(-1)).toBe(
      "| `find_things` | low | `query?`, `limit?` (default 10, max 50), `order` (newest or oldest), `offset` | " +
        "`things[{id, from{name?}}]`, `tags?[]` |",
    );
  });

  it("marks unlisted tools", () => {
    expect(toolsTable([contract], [])).toContain("| `find_things` (not implemented) | low |");
  });
});
