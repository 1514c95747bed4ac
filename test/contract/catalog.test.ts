import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { countTokens } from "gpt-tokenizer";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { generatedPages } from "../../src/app/build/docs.ts";
import { fullSchema, listing } from "../../src/core/tool/catalog.ts";
import type { ToolContract } from "../../src/core/tool/tool.ts";
import { catalog, contracts } from "../../src/tools/catalog.ts";
import { promisedLimits, promisedTools } from "./product-catalog.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const every: readonly ToolContract<never>[] = contracts;
const named = every.map((tool) => [tool.name, tool] as const);
const kebab = (name: string): string => name.replaceAll("_", "-");

/** The part of a JSON Schema that these rules look at. */
const node = z.looseObject({
  type: z.string().optional(),
  description: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
  enum: z.array(z.unknown()).optional(),
});
type Node = z.output<typeof node>;

/** Returns every field of a schema, including inner ones, with its path. */
function fields(schema: unknown, path = ""): (readonly [string, Node])[] {
  const { properties = {}, items } = node.parse(schema);
  const own = Object.entries(properties).flatMap(([name, value]) => {
    const at = `${path}${name}`;
    return [[at, node.parse(value)] as const, ...fields(value, `${at}.`)];
  });
  return items === undefined ? own : [...own, ...fields(items, path)];
}

/** Writes a schema in short form: `a, b?, c[{d}], e{f}`. */
function shape(schema: unknown): string {
  const { properties = {}, required = [] } = node.parse(schema);
  return Object.entries(properties)
    .map(([name, value]) => `${name}${required.includes(name) ? "" : "?"}${inside(value)}`)
    .join(", ");
}

function inside(value: unknown): string {
  const { items, properties } = node.parse(value);
  if (items !== undefined) return `[${inside(items)}]`;
  return properties === undefined ? "" : `{${shape(value)}}`;
}

const addedBySettings: ReadonlySet<string> = new Set(["ownChat", "reminders", "fileIndex"]);

/** The tools as `tools/list` sends them. */
const wire = (tool: ToolContract<never>) => {
  const { risk, ...listed } = listing(tool);
  return { ...listed, _meta: { "dev.countersign/risk": risk } };
};
/** The tools that need no setting beyond their own account. The others are listed only if their settings are present. */
const base = every.filter(({ needs }) => !needs.some((need) => addedBySettings.has(need)));
const tokens = (tool: ToolContract<never>): number => countTokens(JSON.stringify(wire(tool)));

describe("the promised catalog [catalog.fields]", () => {
  it("has the fourteen tools and those that a setting adds, in order", () => {
    expect(every.map(({ name }) => name)).toEqual(Object.keys(promisedTools));
    expect(base).toHaveLength(14);
  });

  it.each(named)("%s has exactly its risk and its fields", (name, tool) => {
    expect({
      risk: tool.risk,
      input: shape(fullSchema(tool.input, "input")),
      output: shape(fullSchema(tool.output, "output")),
    }).toEqual(promisedTools[name]);
  });

  it.each(promisedLimits)(
    "$tool has the default $initial and the maximum $maximum for $field",
    (limit) => {
      const tool = every.find(({ name }) => name === limit.tool)!;
      const [, field] = fields(fullSchema(tool.input, "input")).find(([at]) => at === limit.field)!;
      expect(field).toMatchObject({ default: limit.initial, maximum: limit.maximum });
    },
  );

  it.each(named)("%s says `untrusted` if it may contain untrusted text", (name, tool) => {
    const isUntrusted = !["get_events_availability", "list_files", "check_approval"].includes(name);
    const says = "untrusted" in tool.output.shape;
    expect(says).toBe(tool.operation === "reads" && isUntrusted);
  });
});

describe("every contract in the catalog [catalog.rules]", () => {
  it.each(named)("%s is defined in a file of its name", (name, tool) => {
    const folders = readdirSync(join(root, "src/tools"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    const homes = folders.filter((folder) =>
      existsSync(join(root, "src/tools", folder, `${kebab(name)}.ts`)),
    );
    expect(homes).toHaveLength(1);
    const source = readFileSync(join(root, "src/tools", homes[0]!, `${kebab(name)}.ts`), "utf8");
    expect(source).toContain(`name: "${tool.name}"`);
  });

  it("has a name, a title and a unique description", () => {
    for (const field of ["name", "title", "description"] as const) {
      expect(new Set(every.map((tool) => tool[field])).size).toBe(every.length);
    }
  });

  it.each(named)("%s has a name that every client accepts", (name) => {
    // The strictest of them: providers' function names, and the prefix that hosts put before it.
    expect(name).toMatch(/^[a-z][a-z_]{2,39}$/);
  });

  it.each(named)("%s describes every field of its input and output", (_name, tool) => {
    const undescribed = [
      ...fields(fullSchema(tool.input, "input")),
      ...fields(fullSchema(tool.output, "output")),
    ].filter(([, { description }]) => !description);
    expect(undescribed.map(([path]) => path)).toEqual([]);
  });

  it.each(named)("%s limits every text, list and number of its input", (_name, tool) => {
    const unbounded = fields(fullSchema(tool.input, "input")).filter(
      ([, field]) =>
        (field.type === "string" && field.maxLength === undefined && field.enum === undefined) ||
        (field.type === "array" && field.maxItems === undefined) ||
        (field.type === "integer" && (field.minimum === undefined || field.minimum < 0)),
    );
    expect(unbounded.map(([path]) => path)).toEqual([]);
  });

  it.each(named)(
    "%s accepts an object without unknown fields, and returns an object",
    (_, tool) => {
      const input = fullSchema(tool.input, "input");
      expect(input).toMatchObject({ type: "object", additionalProperties: false });
      const output = fullSchema(tool.output, "output");
      expect(output.type).toBe("object");
      for (const schema of [input, output]) {
        for (const union of ["anyOf", "oneOf", "allOf", "$ref"])
          expect(schema).not.toHaveProperty(union);
      }
    },
  );

  it.each(named)(
    "%s has annotations that match its operation [catalog.annotations]",
    (_name, tool) => {
      const { annotations } = listing(tool);
      const reads = tool.operation === "reads";
      expect(annotations).toEqual({
        readOnlyHint: reads,
        openWorldHint: tool.openWorld,
        ...(!reads && {
          destructiveHint: tool.operation === "changes" || tool.operation === "removes",
          idempotentHint: tool.idempotent,
        }),
      });
      if (tool.risk === "high" || tool.risk === "medium")
        expect(annotations.readOnlyHint).toBe(false);
      if (tool.risk === "low") expect(annotations.readOnlyHint).toBe(true);
    },
  );

  it.each(named)(
    "%s says that the user is asked and the call repeated, if its risk is high",
    (_name, tool) => {
      expect(/The user is asked; repeat the call once approved\./.test(tool.description)).toBe(
        tool.risk === "high",
      );
      expect(tool.description.length).toBeLessThanOrEqual(160);
    },
  );
});

describe("the public surface", () => {
  it("equals the committed snapshot, so that a change is deliberate [catalog.snapshot]", async () => {
    const json = `${JSON.stringify(every.map(wire), undefined, 2)}\n`;
    await expect(json).toMatchFileSnapshot("./__snapshots__/tools-list.json");
  });

  it("equals the generated tables of the documentation", async () => {
    const pages = await generatedPages();
    expect(pages.map(({ path }) => path)).toContain("docs/reference/tools.md");
    for (const { path, now, due } of pages) expect(now, path).toBe(due);
  });

  it("costs at most 180 tokens per tool on average, and for each further one [catalog.tokens]", () => {
    const sum = base.reduce((total, tool) => total + tokens(tool), 0);
    expect(sum / base.length).toBeLessThanOrEqual(180);
    const further = every.filter((tool) => !base.includes(tool));
    const costs = Object.fromEntries(further.map((tool) => [tool.name, tokens(tool)]));
    expect(Math.max(...Object.values(costs)), JSON.stringify(costs)).toBeLessThanOrEqual(180);
  });

  it("costs at most 2 500 tokens with the fourteen tools [catalog.tokens]", () => {
    expect(base.reduce((sum, tool) => sum + tokens(tool), 0)).toBeLessThanOrEqual(2_500);
  });

  it.each(catalog.map(({ name }) => [name]))("is exercised by a test from outside: %s", (name) => {
    const users = ["test/integration", "test/protocol"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .filter((file) => readFileSync(join(root, folder, file), "utf8").includes(`"${name}"`)),
    );
    expect(users).not.toEqual([]);
  });
});
