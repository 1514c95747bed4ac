import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { type Policy, compilePolicy, narrower } from "../../src/core/policy/policy.ts";
import { LocatedFault, parseLocatedJson } from "../../src/core/policy/file/located-json.ts";
import { parsePolicy } from "../../src/core/policy/file/parse-policy.ts";
import { policyJsonSchema } from "../../src/core/policy/file/policy-schema.ts";
import { widenings } from "../../src/core/policy/file/widening.ts";
import { type PastDecision, suggestRules } from "../../src/core/policy/rules/suggest.ts";

const now = new Date("2026-11-22T12:00:00Z");
const tools = [
  { name: "write_file", argumentNames: ["key", "content"] },
  { name: "delete_file", argumentNames: ["key"] },
];
const rule = {
  id: "notes",
  tool: "write_file",
  principals: ["local"],
  when: { key: { in: "notes/" }, content: "any" },
  expires: "2026-12-01T00:00:00Z",
  uses: 5,
};

const read = (content: unknown): Policy =>
  compilePolicy(parsePolicy(JSON.stringify(content), { tools, now }).content);

describe("JSON with positions", () => {
  it.each([
    '{"a":[1,-2.5e3,"x\\u00e9\\n",true,false,null,{}],"b":{"c":[]}}',
    " [ ] ",
    '"text"',
    '{"__proto__":1,"constructor":{"x":2}}',
  ])("reads the same as JSON.parse: %s", (text) => {
    expect(parseLocatedJson(text).value).toEqual(JSON.parse(text));
  });

  it.each([
    "",
    "{",
    "[1,]",
    "{'a':1}",
    '{"a" 1}',
    "01",
    '"a\nb"',
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    "// remark\n{}",
    "NaN",
    "[".repeat(100_000),
  ])("refuses: %s", (text) => {
    expect(() => parseLocatedJson(text)).toThrow(LocatedFault);
  });

  it("knows the start of each value, and the nearest one around an absent value", () => {
    const json = parseLocatedJson('{\n  "a": [\n    1,\n    { "b": 2 }\n  ]\n}');
    expect(json.placeOf(["a", 1, "b"])).toEqual({ line: 4, column: 12 });
    expect(json.placeOf(["a", 1, "c"])).toEqual({ line: 4, column: 5 });
    expect([json.has(["a", 1, "b"]), json.has(["a", 2])]).toEqual([true, false]);
  });
});

describe("a policy's JSON Schema [policy.refused]", () => {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
    policyJsonSchema(tools),
  );

  it.each<[string, unknown, boolean]>([
    ["nothing at all", {}, true],
    [
      "everything",
      {
        $schema: "x",
        deny: ["write_file"],
        allow: [],
        riskFloors: { write_file: "high" },
        channels: { page: "never" },
        principals: { alice: { deny: [] } },
        clients: { "A b": {} },
        rules: [rule],
      },
      true,
    ],
    ["a misspelt field", { denny: [] }, false],
    ["no such tool", { deny: ["rm"] }, false],
    ["a condition too few", { rules: [{ ...rule, when: { key: "any" } }] }, false],
    ["no end", { rules: [{ ...rule, expires: undefined }] }, false],
    ["no number of uses", { rules: [{ ...rule, uses: undefined }] }, false],
    ["uses as text", { rules: [{ ...rule, uses: "5" }] }, false],
  ])("agrees with the program: %s", (_what, content, expected) => {
    const text = JSON.stringify(content);
    expect(validate(JSON.parse(text))).toBe(expected);
    const parse = () => parsePolicy(text, { tools, now });
    if (expected) expect(parse).not.toThrow();
    else expect(parse).toThrow(LocatedFault);
  });

  it("is written by the build, for the tools of the catalog", () => {
    const built = new URL("../../bundle/policy.schema.json", import.meta.url);
    expect(readFileSync(built, "utf8")).toContain('"get_events_details"');
  });
});

// The message was the schema library's: "expected record, received array".
describe("a value of a wrong form [policy.refused]", () => {
  it.each<[string, object, string]>([
    ["a text in place of a list", { deny: "write_file" }, "deny: must be a list"],
    ["a list in place of an object", { principals: [] }, "principals: must be an object"],
    ["a number in place of a tool", { allow: [3] }, "allow[0]: must be the name of a tool"],
    ["a number in place of a rule", { rules: [3] }, "rules[0]: must be an object"],
    ["an empty client", { clients: { "": {} } }, 'clients[""]: must have at least 1 character'],
    [
      "no such choice",
      { riskFloors: { write_file: "highest" } },
      'riskFloors.write_file: must be one of "low", "medium", "high"',
    ],
    ["no uses", { rules: [{ ...rule, uses: 0 }] }, "rules[0].uses: must be at least 1"],
  ])("is refused in our own words: %s", (_what, content, words) => {
    const faultOf = () => read(content);
    expect(faultOf).toThrow(words);
    expect(faultOf).not.toThrow(/expected|received|invalid input/i);
  });
});

// The message was the pattern of such names, or a list of all tools.
describe("a tool that does not exist [policy.refused]", () => {
  it.each<[string, object]>([
    ["in a list", { deny: ["wrte_file"] }],
    ["as a field", { riskFloors: { wrte_file: "high" } }],
    ["in a rule", { rules: [{ ...rule, tool: "wrte_file" }] }],
  ])("is named with the tool that was meant: %s", (_where, content) => {
    expect(() => read(content)).toThrow('there is no tool "wrte_file"; did you mean write_file?');
  });
});

describe("a rule's end [rules.cover]", () => {
  it("may be in the past: the rule has no effect, and the file stays usable", () => {
    expect(() => read({ rules: [{ ...rule, expires: "2020-01-01T00:00:00Z" }] })).not.toThrow();
  });

  it("is within a year", () => {
    const far = { rules: [{ ...rule, expires: "2028-01-01T00:00:00Z" }] };
    expect(() => read(far)).toThrow("expires must be within 366 days");
  });
});

describe("the extensions of a changed policy [policy.reload]", () => {
  const compared = (before: object, after: object): readonly string[] =>
    widenings({
      before: read(before),
      after: read(after),
      contents: [before, after],
      tools: tools.map(({ name }) => name),
    });

  it.each<[string, object, object]>([
    ["the same", { rules: [rule] }, { rules: [rule] }],
    ["a tool denied", {}, { deny: ["delete_file"] }],
    ["the same lists said otherwise", { deny: ["delete_file"] }, { allow: ["write_file"] }],
    ["a tool denied that is not known yet", {}, { deny: ["mail__send"] }],
    ["a higher floor", {}, { riskFloors: { write_file: "high" } }],
    ["a channel less", {}, { channels: { elicitation: "additive" } }],
    ["a rule less", { rules: [rule] }, {}],
    ["narrower for one", {}, { principals: { alice: { deny: ["write_file"] } } }],
    [
      "for all what was for one",
      { principals: { alice: { deny: ["write_file"] } } },
      { deny: ["write_file"] },
    ],
  ])("are empty: %s", (_what, before, after) => {
    expect(compared(before, after)).toEqual([]);
  });

  it.each<[string, object, object, string]>([
    ["a tool", { deny: ["delete_file"] }, {}, "delete_file can be called"],
    [
      "a tool for one",
      { principals: { alice: { deny: ["delete_file"] } } },
      {},
      "delete_file can be called (alice)",
    ],
    [
      "a tool for the programs of a name",
      { clients: { X: { allow: [] } } },
      { clients: { X: { allow: ["write_file"] } } },
      "write_file can be called (X)",
    ],
    // A policy could allow a tool of a server before its review without an approval.
    [
      "a tool that is not known yet",
      { allow: ["write_file"] },
      { allow: ["write_file", "mail__send"] },
      "mail__send can be called",
    ],
    [
      "a lower floor of such a tool",
      { principals: { alice: { riskFloors: { mail__send: "high" } } } },
      {},
      "the minimum risk of mail__send falls from high to low (alice)",
    ],
    [
      "every tool that will be added",
      { allow: ["write_file"] },
      { deny: ["delete_file"] },
      "every tool in no list can be called",
    ],
    [
      "a lower floor",
      { riskFloors: { write_file: "high" } },
      { riskFloors: { write_file: "medium" } },
      "the minimum risk of write_file falls from high to medium",
    ],
    [
      "a channel",
      { channels: { elicitation: "never" } },
      { channels: { elicitation: "additive" } },
      "the client's dialog decides about calls that add",
    ],
    [
      "a new rule",
      {},
      { rules: [rule] },
      "the rule notes approves calls without a question: write_file: key directly in the folder notes/, any content; for local, 5 times until 2026-12-01T00:00:00.000Z",
    ],
    [
      "a rule with more uses",
      { rules: [rule] },
      { rules: [{ ...rule, uses: 6 }] },
      "the rule notes approves calls without a question: write_file: key directly in the folder notes/, any content; for local, 6 times until 2026-12-01T00:00:00.000Z",
    ],
  ])("are reported: %s", (_what, before, after, line) => {
    expect(compared(before, after)).toEqual([line]);
  });

  it("do not apply before a person agrees, and both versions' common part does", () => {
    const both = narrower(
      read({ deny: ["delete_file"], rules: [rule], channels: { page: "never" } }),
      read({ riskFloors: { write_file: "high" }, channels: { elicitation: "never" } }),
    );
    const view = both.effectiveFor("local", "any");
    expect(view.denies("delete_file")).toBe(true);
    expect(view.floorOf("write_file")).toBe("high");
    expect(view.channelsFor("adds")).toEqual(["telegram", "terminal"]);
    expect(both.rulesFor("write_file")).toEqual([]);
    // Neither a rule that went nor one that came.
    expect(narrower(read({}), read({ rules: [rule] })).rulesFor("write_file")).toEqual([]);
  });
});

describe("a suggested rule [rules.suggest]", () => {
  const past = (key: string, fields: Partial<PastDecision> = {}): PastDecision => ({
    principal: "local",
    tool: "delete_file",
    args: { key },
    verdict: "approve",
    channel: "page",
    ...fields,
  });
  const suggest = (...decisions: PastDecision[]) =>
    suggestRules(decisions, (name) => tools.find((tool) => tool.name === name)?.argumentNames, now);
  const three = [past("tmp/1"), past("tmp/2"), past("tmp/3")];

  it("covers the folder of three approvals, or the exact key", () => {
    expect(suggest(...three)).toMatchObject([
      {
        rule: { when: { key: { in: "tmp/" } }, uses: 3 },
        wouldHaveApproved: 3,
      },
    ]);
    expect(suggest(past("a"), past("a"), past("a"))).toMatchObject([
      { rule: { when: { key: { is: "a" } } } },
    ]);
  });

  it("is valid in the file", () => {
    const [{ rule: found } = { rule: {} }] = suggest(...three);
    expect(() => read({ rules: [found] })).not.toThrow();
  });

  it.each<[string, PastDecision[]]>([
    ["two approvals", three.slice(1)],
    ["a denial among what it would cover", [...three, past("tmp/4", { verdict: "deny" })]],
    ["approvals of three folders", [past("a/1"), past("b/1"), past("c/1")]],
    ["approvals of a client's dialog", three.map((each) => ({ ...each, channel: "elicitation" }))],
    [
      "approvals to different principals",
      [past("tmp/1"), past("tmp/2"), past("tmp/3", { principal: "alice" })],
    ],
    [
      "times that are over",
      three.map((each, day) => ({ ...each, args: { key: `2026-11-2${day}` } })),
    ],
    ["a tool that is gone", three.map((each) => ({ ...each, tool: "gone" }))],
  ])("is not derived from %s", (_what, decisions) => {
    expect(suggest(...decisions)).toEqual([]);
  });

  it("counts a client's refused dialog as a denial", () => {
    const denied = past("tmp/4", { verdict: "deny", channel: "elicitation" });
    expect(suggest(...three, denied)).toEqual([]);
  });

  it("contains no contents, however long", () => {
    const writes = ["a", "b", "c"].map((sha256) =>
      past("notes/a", { tool: "write_file", args: { key: "notes/a", content: { sha256 } } }),
    );
    expect(suggest(...writes)).toMatchObject([
      { rule: { when: { key: { is: "notes/a" }, content: "any" } } },
    ]);
  });
});
