import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkArguments, parseArguments } from "../../src/core/call/parse-arguments.ts";
import type { ToolContract } from "../../src/core/tool/tool.ts";
import { ToolError } from "../../src/core/tool/tool-error.ts";
import { namedCall } from "../../src/upstream/call-tool.ts";

const tool: ToolContract = {
  name: "do_thing",
  title: "Do a thing",
  description: "Does a thing.",
  risk: "low",
  operation: "reads",
  openWorld: false,
  reads: "none",
  sends: false,
  idempotent: true,
  needs: [],
  input: z.strictObject({
    key: z.string().max(20),
    limit: z.int().min(1).max(50).default(10),
    order: z.enum(["newest", "oldest"]).optional(),
    body: z.string().max(20_000).optional(),
    tags: z.array(z.string().max(5)).max(30).optional(),
  }),
  output: z.object({}),
};

function refused(args: unknown): ToolError {
  try {
    parseArguments(tool, args);
  } catch (thrown) {
    if (thrown instanceof ToolError) return thrown;
    throw thrown;
  }
  throw new Error("It was not refused.");
}

describe("the arguments of a call [input.strict]", () => {
  it("come back with every default", () => {
    expect(parseArguments(tool, { key: "a" })).toEqual({ key: "a", limit: 10 });
  });

  // A call of an upstream tool with 1e400 ended in an internal error, and one with a long id named another id.
  it.each([
    ["1e400", "at.0.id is a number that is too large"],
    [
      "12345678901234567890",
      "at.0.id is a whole number over 9007199254740991, which loses digits. Write it as text if the tool takes text",
    ],
  ])("are refused with the number %s, which would become another one", (number, problem) => {
    const upstream = { ...tool, input: z.looseObject({ at: z.unknown() }) };
    const args: unknown = JSON.parse(`{ "at": [{ "id": ${number} }] }`);
    expect(() => parseArguments(upstream, args)).toThrow(`do_thing was not called: ${problem}.`);
  });

  it("may have long numbers that lose no digits", () => {
    const upstream = { ...tool, input: z.looseObject({}) };
    const args = { most: Number.MAX_SAFE_INTEGER, round: 1e20, part: 1.5, least: -1e300 };
    expect(parseArguments(upstream, args)).toEqual(args);
  });

  it.each([
    ["a field that is missing", {}, "key is missing"],
    ["no arguments at all", undefined, "key is missing"],
    ["a field that is null", { key: null }, "key: must be a string"],
    ["a field of another type", { key: 5 }, "key: must be a string"],
    ["a number as text", { key: "a", limit: "5" }, "limit: must be a number"],
    ["a number that is not whole", { key: "a", limit: 1.5 }, "limit: must be a whole number"],
    ["a number that is too small", { key: "a", limit: 0 }, "limit: must be at least 1."],
    ["a number that is too large", { key: "a", limit: 51 }, "limit: must be at most 50."],
    [
      "a choice that there is not",
      { key: "a", order: "best" },
      'order: must be one of "newest", "oldest".',
    ],
    ["a text that is too long", { key: "x".repeat(21) }, "key: must have at most 20 characters."],
    [
      "a member of a list",
      { key: "a", tags: ["ok", "too long"] },
      "tags.1: must have at most 5 characters.",
    ],
    ["a list that is a text", { key: "a", tags: "x" }, "tags: must be a list."],
    [
      "a list in place of the arguments",
      [],
      "do_thing was not called: its arguments must be an object.",
    ],
    ["half of a character", { key: "a\uD800" }, "key contains half of a character"],
    ["half of a character in a list", { key: "a", tags: ["\uDC00"] }, "tags.0 contains half"],
    ["an unknown field", { key: "a", colour: 1 }, 'unknown field "colour"'],
    ["two unknown fields", { key: "a", x: 1, y: 2 }, 'unknown field "x", "y"'],
  ])("are refused with the field's name: %s", (_what, args, words) => {
    const error = refused(args);
    expect(error.kind).toBe("invalid_input");
    expect(error.message).toContain("do_thing was not called: ");
    expect(error.message).toContain(words);
  });

  it.each(["a text", 5, true, [["key"]]])("are refused if they are no object: %j", (args) => {
    expect(refused(args).kind).toBe("invalid_input");
  });

  // The comparison of these arguments exhausted the stack, which was an internal error.
  it("are refused if they are nested too deeply", () => {
    let nested: object = {};
    for (let level = 0; level < 100_000; level += 1) nested = { nested };
    const error = refused({ key: nested });
    expect(error.kind).toBe("invalid_input");
    expect(error.message).toContain("nested in more than 100 levels");
  });

  it("are too large if only their size is wrong", () => {
    const error = refused({ key: "a", body: "x".repeat(20_001) });
    expect(error.kind).toBe("too_large");
    expect(error.message).toContain("body:");
    expect(refused({ key: "x".repeat(21), body: "x".repeat(20_001) }).kind).toBe("invalid_input");
  });

  it("learn the existing fields", () => {
    expect(refused({}).hint).toBe("Fields of do_thing: key, limit, order, body, tags.");
  });

  it("learn that a schema names no fields", async () => {
    const tool = { name: "pick", input: z.looseObject({}), check: async () => ["must be array"] };
    await expect(checkArguments(tool, {})).rejects.toMatchObject({
      hint: "pick names no fields at the top of its schema.",
    });
  });

  it("learn at most five problems, and the number of the others", () => {
    const tags = Array.from({ length: 20 }, () => 5);
    const { message } = refused({ key: "a", tags });
    expect(message).toContain("and 15 more");
    expect(message.length).toBeLessThan(600);
  });

  it("keep a long or hostile name of an unknown field short and in quotes", () => {
    const { message } = refused({ key: "a", [`"\n${"x".repeat(5_000)}`]: 1 });
    expect(message).not.toContain("\n");
    expect(message.length).toBeLessThan(300);
  });

  it("cannot reach a prototype", () => {
    const args: unknown = JSON.parse('{"key":"a","__proto__":{"limit":1}}');
    expect(refused(args).message).toContain("__proto__");
  });

  // The field was dropped in silence, and the server got other arguments than the caller gave.
  it("are refused with a field that the parser would drop", () => {
    const open = { ...tool, input: z.looseObject({ key: z.string() }) };
    const args: unknown = JSON.parse('{"key":"a","__proto__":{"limit":1}}');
    expect(() => parseArguments(open, args)).toThrow(
      'do_thing was not called: no field may have the name "__proto__".',
    );
    const nested: unknown = JSON.parse('{"key":"a","in":{"__proto__":{"limit":1}}}');
    expect(JSON.stringify(parseArguments(open, nested))).toBe(JSON.stringify(nested));
  });
});

describe("the arguments of a call through `call_tool`", () => {
  // The parser dropped the field before the named tool's own check.
  it("reach the check of the named tool unchanged", () => {
    const args: unknown = JSON.parse('{"name":"up__act","arguments":{"__proto__":{"x":1}}}');
    const named = namedCall(args);
    expect(JSON.stringify(named?.arguments)).toBe('{"__proto__":{"x":1}}');
  });
});
