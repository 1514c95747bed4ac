import { describe, expect, it } from "vitest";
import {
  type ArgumentMatcher,
  type ArgumentMatchers,
  compileCondition,
  condition,
  formatCondition,
  privateSources,
} from "../../src/core/policy/rules/condition.ts";
import { compileRule } from "../../src/core/policy/rules/rule.ts";

const holds = (given: ArgumentMatcher, value: unknown): boolean =>
  compileCondition(condition.parse(given))(value);

describe("a condition on an argument [rules.conditions]", () => {
  it.each<[string, ArgumentMatcher, unknown, boolean]>([
    ["any value", "any", "x", true],
    ["any covers an absent argument", "any", undefined, true],
    ["absent", "absent", undefined, true],
    ["absent is no empty text", "absent", "", false],
    ["the very value", { is: "a" }, "a", true],
    ["a value and not its absence", { is: "a" }, undefined, false],
    ["a value or its absence", { is: "a", orAbsent: true }, undefined, true],
    ["another case", { is: "Notes" }, "notes", false],
    ["the same letter composed otherwise", { is: "\u00e9" }, "e\u0301", false],
    ["a look-alike letter", { is: "notes" }, "n\u043etes", false],
    ["a number and not its text", { is: 5 }, "5", false],
    ["a text and not its number", { is: "5" }, 5, false],
    ["true and not 1", { is: true }, 1, false],
    ["a list in its order", { is: ["a", "b"] }, ["a", "b"], true],
    ["a list in another order", { is: ["a", "b"] }, ["b", "a"], false],
    ["a list of one and not its value", { is: "a" }, ["a"], false],
    ["a value and not a list of one", { is: ["a"] }, "a", false],
    ["one of many", { oneOf: ["a", "b"] }, "b", true],
    ["none of many", { oneOf: ["a", "b"] }, "c", false],
    ["a list of what may be", { oneOf: ["a", "b"] }, ["a"], false],
    ["a key in the folder", { in: "notes/" }, "notes/a.md", true],
    ["a key below the folder", { in: "notes/" }, "notes/old/a.md", false],
    ["a folder whose name only begins alike", { in: "notes/" }, "notes-evil/a.md", false],
    ["the folder itself", { in: "notes/" }, "notes/", false],
    ["a way out of the folder", { in: "notes/" }, "notes/..", false],
    ["a way out and in again", { under: "notes/" }, "notes/../secret/a.md", false],
    ["a dot for the folder itself", { under: "notes/" }, "notes/./a.md", false],
    ["an empty segment", { under: "notes/" }, "notes//a.md", false],
    ["a backslash", { under: "notes/" }, "notes/..\\a.md", false],
    ["the folder in another case", { under: "notes/" }, "Notes/a.md", false],
    ["a key below, at any depth", { under: "notes/" }, "notes/old/a.md", true],
    ["a list of keys", { under: "notes/" }, ["notes/a.md"], false],
    ["a number between", { between: [1, 10] }, 10, true],
    ["a number beyond", { between: [1, 10] }, 11, false],
    ["a number in a text", { between: [1, 10] }, "5", false],
    ["a date between", { between: ["2026-11-23", "2026-11-24"] }, "2026-11-24", true],
    ["a date that there is not", { between: ["2026-02-01", "2026-03-31"] }, "2026-02-30", false],
    [
      "a time between dates",
      { between: ["2026-11-23", "2026-11-24"] },
      "2026-11-23T09:00:00Z",
      false,
    ],
    [
      "the same instant in another zone",
      { between: ["2026-11-23T00:00:00+01:00", "2026-11-24T00:00:00+01:00"] },
      "2026-11-23T22:59:59Z",
      true,
    ],
    [
      "an instant beyond, whose clock reads the same",
      { between: ["2026-11-23T00:00:00+01:00", "2026-11-24T00:00:00+01:00"] },
      "2026-11-23T23:30:00-05:00",
      false,
    ],
    [
      "a time without an offset",
      { between: ["2026-11-23T00:00:00+01:00", "2026-11-24T00:00:00+01:00"] },
      "2026-11-23T12:00:00",
      false,
    ],
  ])("evaluates: %s", (_what, given, value, expected) => {
    expect(holds(given, value)).toBe(expected);
  });

  it.each<[string, unknown]>([
    ["a folder without its slash", { in: "notes" }],
    ["a folder with a way out", { under: "notes/../" }],
    ["the root as a folder", { under: "/" }],
    ["two kinds together", { is: "a", in: "notes/" }],
    ["no kind at all", { orAbsent: true }],
    ["dates and times mixed", { between: ["2026-11-23", "2026-11-24T00:00:00Z"] }],
    ["bounds in the wrong order", { between: [2, 1] }],
    ["a list of nothing", { oneOf: [] }],
    ["null", null],
    ["a bare value", "notes/"],
    ["a misspelt kind", { equals: "a" }],
  ])("refuses %s", (_what, given) => {
    expect(condition.safeParse(given).success).toBe(false);
  });

  it("is formatted as a sentence", () => {
    expect(formatCondition("key", { in: "notes/" })).toBe("key directly in the folder notes/");
    expect(formatCondition("mode", { oneOf: ["a", 5], orAbsent: true })).toBe(
      'mode "a" or 5 or absent',
    );
    expect(formatCondition("ifMatch", "absent")).toBe("no ifMatch");
  });
});

describe("a rule [rules.cover]", () => {
  const rule = compileRule({
    ruleId: "notes",
    tool: "write_file",
    principals: ["local"],
    when: { key: { in: "notes/" }, content: "any" },
    expiresAt: new Date("2026-12-01T00:00:00Z"),
    uses: 5,
    source: "file",
  });
  const args = { key: "notes/a.md", content: "x" };

  it("covers a call that meets every condition, of a named principal", () => {
    expect(rule.covers({ principal: "local", args })).toBe(true);
    expect(rule.covers({ principal: "alice", args })).toBe(false);
    expect(rule.covers({ principal: "local", args: { ...args, key: "a.md" } })).toBe(false);
  });

  it("covers no unmentioned argument, so that a new one is not covered", () => {
    expect(rule.covers({ principal: "local", args: { ...args, force: true } })).toBe(false);
    expect(rule.covers({ principal: "local", args: { ...args, force: undefined } })).toBe(true);
  });

  // An approval of private content covered a call without any, whose own argument named that content.
  it("covers no call with an argument that pretends to be the source of private content", () => {
    const given = { ruleId: "r", tool: "mail__send", principals: ["local"], uses: 5 };
    const when: ArgumentMatchers = { to: "any", [privateSources]: { is: ["mail em_1"] } };
    const expiresAt = new Date("2026-12-01T00:00:00Z");
    const similar = compileRule({ ...given, when, expiresAt, source: "similar" });
    const call = { principal: "local", args: { to: "bob" } };
    const sources = ["mail em_1"];
    expect(similar.covers({ ...call, sources })).toBe(true);
    expect(similar.covers(call)).toBe(false);
    const forged = { principal: "local", args: { to: "bob", [privateSources]: sources } };
    expect(similar.covers(forged)).toBe(false);
    expect(similar.covers({ ...forged, sources })).toBe(false);
  });

  it("restarts its use count only if it was changed", () => {
    const keyOf = (fields: object): string => compileRule({ ...rule, ...fields }).key;
    expect(keyOf({})).toBe(rule.key);
    expect(keyOf({ uses: 6 })).not.toBe(rule.key);
    expect(keyOf({ when: { ...rule.when, content: "absent" } })).not.toBe(rule.key);
  });
});
