import { describe, expect, it } from "vitest";
import { findTools } from "../../src/upstream/find-tools.ts";

const long = (characters: number) => ({
  type: "object",
  properties: { a: { type: "string", description: "word ".repeat(characters / 5) } },
});

async function found(schemas: readonly object[], description = "Sends.") {
  const tools = schemas.map((inputSchema, index) => ({
    name: `s__t${index}`,
    definition: { name: `t${index}`, description, inputSchema: { ...inputSchema } },
    risk: "low" as const,
  }));
  const tool = findTools(() => tools, { denies: () => false, floorOf: () => "low" });
  const output = await tool.execute({ query: "send" }, {} as Parameters<typeof tool.execute>[1]);
  return { output: output as { tools: { inputSchema?: string; description: string }[] }, tool };
}

describe("find_tools", () => {
  it("returns at most five tools", async () => {
    const { output } = await found(Array.from({ length: 9 }, () => ({ type: "object" })));
    expect(output.tools).toHaveLength(5);
  });

  it("leaves out a schema that does not fit, and says so", async () => {
    const { output, tool } = await found([long(20_000), long(40_000), long(5_000)]);
    expect(output.tools.map(({ inputSchema }) => inputSchema !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
    const { notices } = tool.text(output, { query: "send" });
    expect(notices).toEqual([
      "A schema is left out, because it does not fit. Search with other words.",
    ]);
  });

  it("cuts a long description", async () => {
    const { output } = await found([{ type: "object" }], "x".repeat(50_000));
    expect(output.tools[0]?.description).toHaveLength(1_000);
  });
});
