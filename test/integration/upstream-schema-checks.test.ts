import { describe, expect, it } from "vitest";
import { createSchemaChecks } from "../../src/adapters/ajv/schema-checks.ts";
import { schemaFaults } from "../../src/app/upstream/schema-faults.ts";
import { quietLog } from "../fakes/quiet-log.ts";

const slow = { type: "object", properties: { how: { type: "string", pattern: "^(a+)+$" } } };
const endless = { how: `${"a".repeat(60)}!` };

function openChecks(t: { onTestFinished(cleanUp: () => unknown): void }) {
  const checks = createSchemaChecks(quietLog);
  t.onTestFinished(() => checks.close());
  return {
    compile: (schema: Parameters<typeof checks.compile>[0]) => checks.compile(schema, "up__act"),
  };
}

describe("the check of arguments", () => {
  it("names the field and the rule in our own words", async (t) => {
    const check = openChecks(t).compile({
      type: "object",
      properties: { size: { type: "number" }, kind: { enum: ["a", "b"] } },
      required: ["size"],
      additionalProperties: false,
    });
    expect(await check({ size: 1, kind: "a" })).toEqual([]);
    expect(await check({})).toEqual(['"size" is missing']);
    expect(await check({ size: "1" })).toEqual(["size: must be number"]);
    expect(await check({ size: 1, more: 2 })).toEqual(['unknown field "more"']);
  });

  it("reads draft-07 and 2020-12, and refuses a reference to another document", async (t) => {
    const { compile } = openChecks(t);
    const old = { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] };
    expect(await compile(old)([1])).toEqual(["0: must be string"]);
    expect(await compile({ prefixItems: [{ type: "string" }] })([1])).toEqual([
      "0: must be string",
    ]);
    const far = compile({ $ref: "http://127.0.0.1:9/schema.json" });
    await expect(far({})).rejects.toMatchObject({ kind: "unavailable" });
  });

  // No call of such a tool was possible, because its schema counted as faulty.
  it.for([
    [
      "an array of schemas for items, without a dialect",
      { items: [{ type: "string" }] },
      ["a"],
      [1],
    ],
    ["the flags of draft-04", { minimum: 0, exclusiveMinimum: true }, 1, 0],
    [
      "a named draft-04 with an id",
      {
        $schema: "http://json-schema.org/draft-04/schema#",
        id: "https://example.org/size",
        properties: { size: { id: "#size", maximum: 5, exclusiveMaximum: false } },
      },
      { size: 5 },
      { size: 6 },
    ],
    [
      "2019-09 that contains itself",
      {
        $schema: "https://json-schema.org/draft/2019-09/schema",
        $recursiveAnchor: true,
        properties: { size: { type: "integer" }, part: { $recursiveRef: "#" } },
      },
      { part: { size: 1 } },
      { part: { size: "1" } },
    ],
    ["a pattern without Unicode mode", { pattern: String.raw`^[\w-.]+$` }, "a-b", "a b"],
  ] as const)("reads %s", async ([, schema, right, wrong], t) => {
    const check = openChecks(t).compile(schema);
    expect(await check(right)).toEqual([]);
    expect(await check(wrong)).toHaveLength(1);
  });

  // Prices were refused, because 19.99 / 0.01 is not a whole number for a computer.
  it("takes decimal fractions for multiples, within the accuracy of a number", async (t) => {
    const check = openChecks(t).compile({ multipleOf: 0.01 });
    for (const price of [19.99, 0.07, 1.1, 4.35, 123_456.78, -8.29, 0, 70_368_744_177.66])
      expect(await check(price), String(price)).toEqual([]);
    for (const price of [0.005, 19.991, 123_456.785])
      expect(await check(price), String(price)).toHaveLength(1);
    const whole = openChecks(t).compile({ multipleOf: 1_000_000_000 });
    expect(await whole(1)).toHaveLength(1);
    expect(await whole(3_000_000_000)).toEqual([]);
    expect(await openChecks(t).compile({ multipleOf: 5 })(Number.MAX_SAFE_INTEGER)).toHaveLength(1);
  });

  // Each object inherits these names. A call without the field was refused, and a missing field was not noticed.
  it.for([
    ["here", {}],
    ["in the thread", { patternProperties: {} }],
  ] as const)(
    "of fields with names of every object is about the value's own fields, %s",
    async ([, more], t) => {
      const properties = { constructor: { type: "string" }, toString: { type: "string" } };
      const schema = { type: "object", properties, required: ["toString"], ...more };
      const check = openChecks(t).compile(schema);
      expect(await check({ toString: "a" })).toEqual([]);
      expect(await check({ constructor: "a" })).toEqual(['"toString" is missing']);
    },
  );

  // Ajv nests a block for each property, and compiling them took more than the stack.
  it("reads a schema with 5 000 properties", async (t) => {
    const names = Array.from({ length: 5_000 }, (_each, index) => `p${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const check = openChecks(t).compile({ type: "object", properties, required: ["p0"] });
    expect(await check({ p0: "a", p4999: "b" })).toEqual([]);
    expect(await check({ p4999: 1 })).toEqual(['"p0" is missing', "p4999: must be string"]);
  });

  // Ajv did not find the schema itself, so no call of such a tool was possible.
  it("reads a schema that contains itself", async (t) => {
    const check = openChecks(t).compile({
      type: "object",
      properties: { and: { type: "array", items: { $ref: "#" } }, field: { type: "string" } },
    });
    expect(await check({ and: [{ field: "a" }, { and: [] }] })).toEqual([]);
    expect(await check({ and: [{ and: [{ field: 1 }] }] })).toEqual([
      "and.0.and.0.field: must be string",
    ]);
  });

  // The sentence named no tool, and the caller of several tools did not know which one failed.
  it.for([
    ["in the thread", { $ref: "#" }],
    ["here", { type: "thing" }],
  ] as const)("names the tool of a schema that cannot be used %s", async ([, schema], t) => {
    await expect(openChecks(t).compile(schema)({})).rejects.toMatchObject({
      kind: "unavailable",
      message: "The schema of up__act cannot be used to check a call. Nothing was done.",
    });
  });

  it("of a simple schema waits for no thread", async (t) => {
    const { compile } = openChecks(t);
    const order: string[] = [];
    const simple = compile({ type: "object", properties: { size: { type: "number" } } });
    await Promise.all([
      compile(slow)(endless).then(() => order.push("slow")),
      simple({ size: "1" }).then(() => order.push("simple")),
    ]);
    expect(order).toEqual(["simple", "slow"]);
  });

  it("refuses a keyword with a value that it cannot have", async (t) => {
    const { compile } = openChecks(t);
    for (const schema of [
      { type: "object", properties: { how: { minLength: "0) || process.exit(" } } },
      { type: "thing" },
      { type: "object", required: "how" },
    ])
      await expect(compile(schema)({}), JSON.stringify(schema)).rejects.toMatchObject({
        kind: "unavailable",
      });
  });

  it("of a pattern that does not end stops, and the program works meanwhile", async (t) => {
    const { compile } = openChecks(t);
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns += 1;
      if (!isDone) setTimeout(turn, 1);
    };
    turn();
    const problems = await compile(slow)(endless);
    isDone = true;
    expect(problems).toEqual(["the check against the tool's schema took too long"]);
    expect(turns).toBeGreaterThan(50);
  });

  it("waits for the one before it, and works after one that did not end", async (t) => {
    const { compile } = openChecks(t);
    const check = compile(slow);
    const [first, second, third] = await Promise.all([
      check({ how: "aaa" }),
      check(endless),
      check({ how: "b" }),
    ]);
    expect(first).toEqual([]);
    expect(second).toEqual(["the check against the tool's schema took too long"]);
    expect(third).toEqual(['how: does not fit the rule "pattern" of the tool\'s schema']);
  });
});

describe("the check of the schemas that a server lists", () => {
  // Each call of such a tool was refused, and the review did not say so.
  it("finds a schema of arguments that is for no object", async () => {
    const types = {
      word: "string",
      list: ["array", "null"],
      any: undefined,
      no: null,
      either: ["null", "object"],
    };
    const tools = Object.entries({ ...types, usual: "object" }).map(([name, type]) => ({
      name,
      inputSchema: type === undefined ? {} : { type },
    }));
    expect([...(await schemaFaults(tools, quietLog))]).toEqual(["word", "list"]);
  });
});
