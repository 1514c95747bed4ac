import { describe, expect, it } from "vitest";
import { findTools } from "../../src/upstream/find-tools.ts";

const long = (characters: number) => ({
  type: "object",
  properties: { a: { type: "string", description: "word ".repeat(characters / 5) } },
});

async function found(
  schemas: readonly object[],
  description = "Sends.",
  denies: (name: string) => boolean = () => false,
) {
  const tools = schemas.map((inputSchema, index) => ({
    name: `s__t${index}`,
    server: "s",
    definition: { name: `t${index}`, description, inputSchema: { ...inputSchema } },
    risk: "low" as const,
  }));
  const others = ["mail__send", "mail__read", "home__turn_on"].map((name) => ({
    name,
    server: name.split("__")[0] ?? "",
  }));
  const tool = findTools(
    () => tools,
    () => [...others, ...tools],
    { denies, floorOf: () => "low" },
  );
  const output = await tool.execute({ query: "send" }, {} as Parameters<typeof tool.execute>[1]);
  return {
    output: output as {
      tools: { name: string; inputSchema?: string; description: string }[];
      more: string[];
      servers: string[];
    },
    tool,
  };
}

describe("find_tools", () => {
  it("returns at most five tools", async () => {
    const { output } = await found(Array.from({ length: 9 }, () => ({ type: "object" })));
    expect(output.tools).toHaveLength(5);
  });

  // The right tool is sometimes the sixth or the tenth, and a model could not know of it.
  it("names fifteen further matches, and those that the policy denies nowhere", async () => {
    const { output, tool } = await found(Array.from({ length: 30 }, () => ({ type: "object" })));
    expect(output.more).toEqual(Array.from({ length: 15 }, (_, index) => `s__t${index + 5}`));
    const { notices } = tool.text(output, { query: "send" });
    expect(notices?.[0]).toMatch(/^Further matches: s__t5, s__t6.*s__t19\. Search for such a name/);
    const few = await found([{ type: "object" }]);
    expect(few.output.more).toEqual([]);
    const notice = "Other servers: mail, home. Search for such a name to see its tools.";
    expect(few.tool.text(few.output, { query: "send" }).notices).toEqual([notice]);
    const denied = await found(
      Array.from({ length: 30 }, () => ({ type: "object" })),
      "Sends.",
      (name) => name !== "s__t29",
    );
    expect(denied.output).toMatchObject({ tools: [{ name: "s__t29" }], more: [] });
  });

  // "Solve the integral" has no word of a tool that computes, and a model could not know of its server.
  it("names the other servers that have a tool for the caller", async () => {
    const { output } = await found(
      [{ type: "object" }],
      "Sends.",
      (name) => name === "home__turn_on",
    );
    expect(output.servers).toEqual(["mail"]);
  });

  it("leaves out a schema that does not fit, and says so", async () => {
    const { output, tool } = await found([long(20_000), long(40_000), long(5_000)]);
    expect(output.tools.map(({ inputSchema }) => inputSchema !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
    const { notices } = tool.text(output, { query: "send" });
    expect(notices?.[0]).toBe(
      "A schema is left out, because it does not fit. Search with other words.",
    );
  });

  it("cuts a long description", async () => {
    const { output } = await found([{ type: "object" }], "x".repeat(50_000));
    expect(output.tools[0]?.description).toHaveLength(1_000);
  });
});
