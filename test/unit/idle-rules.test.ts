import { describe, expect, it } from "vitest";
import { LocatedFault } from "../../src/core/policy/file/located-json.ts";
import { parsePolicy } from "../../src/core/policy/file/parse-policy.ts";

const now = new Date("2026-11-22T12:00:00Z");
const tools = [{ name: "write_file", argumentNames: ["key", "content"] }];
const rule = {
  id: "notes",
  tool: "write_file",
  principals: ["local"],
  when: { key: { in: "notes/" }, content: "any" },
  expires: "2026-12-01T00:00:00Z",
  uses: 5,
};

// Such a rule made the whole file invalid after its server was removed or got a new argument.
describe("a rule for an upstream tool [policy.idle]", () => {
  const upstream = [...tools, { name: "mail__send", argumentNames: ["to", "text"] }];
  const when = { to: { is: "me@example.org" }, text: "any" };
  const readWith = (known: typeof tools, fields: object = {}) =>
    parsePolicy(
      JSON.stringify({
        rules: [rule, { ...rule, id: "mine", tool: "mail__send", when, ...fields }],
      }),
      { tools: known, now },
    );

  it("applies while it fits the reviewed tool", () => {
    const { content, idle } = readWith(upstream);
    expect([content.rules?.map(({ ruleId }) => ruleId), idle]).toEqual([["notes", "mine"], []]);
  });

  it.each<[string, typeof tools, object, string]>([
    ["no such tool", tools, {}, 'there is no tool "mail__send"'],
    ["another argument", upstream, { when: { to: "any" } }, "when.text has no condition"],
    [
      "an argument less",
      upstream,
      { when: { ...when, cc: "any" } },
      'when: the tool mail__send has no argument "cc"',
    ],
  ])("approves nothing, and the others apply: %s", (_what, known, fields, reason) => {
    const { content, idle, digest } = readWith(known, fields);
    expect(content.rules?.map(({ ruleId }) => ruleId)).toEqual(["notes"]);
    expect(idle).toMatchObject([
      { rule: { ruleId: "mine" }, reason: expect.stringContaining(reason) as string },
    ]);
    expect(digest).not.toBe(readWith(upstream).digest);
  });

  it.each<[string, object]>([
    ["a condition of a wrong form", { when: { to: { like: "x" } } }],
    ["no end", { expires: undefined }],
    ["the id of another rule", { id: "notes" }],
  ])("is still refused for a fault of its own: %s", (_what, fields) => {
    expect(() => readWith(tools, fields)).toThrow(LocatedFault);
  });
});
