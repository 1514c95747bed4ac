import { describe, expect, it } from "vitest";
import { upstreamEffect } from "../../src/upstream/effect.ts";

const tool = { name: "send", inputSchema: {} };

function linesOf(args: Record<string, unknown>): string[] {
  const { arguments: lines = [] } = upstreamEffect("mail", tool, args);
  return lines.map(({ label, value }) => `${label} = ${value}`);
}

describe("the effect of an upstream call", () => {
  it("has a line with path and quoted value for each argument", () => {
    expect(
      linesOf({ to: "a@example.org", items: [{ name: "x", tags: ["y"] }], flags: {}, on: true }),
    ).toEqual([
      'to = "a@example.org"',
      'items[0].name = "x"',
      'items[0].tags[0] = "y"',
      "flags = {}",
      "on = true",
    ]);
  });

  it.each([
    [101, "and 1 more value"],
    [140, "and 40 more values"],
  ])("counts the values that it leaves out: %d", (count, words) => {
    const lines = linesOf({ list: Array.from({ length: count }, (_, index) => index) });
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toBe(`arguments = ${words}`);
  });

  // A person approved a message without its recipient, which came after a long list.
  it("shows an argument after a list that is too long", () => {
    const list = Array.from({ length: 200 }, (_, index) => index);
    const lines = linesOf({ list, to: "a@example.org", in: { list, bcc: "b" } });
    expect(lines).toHaveLength(101);
    expect(lines).toContain('to = "a@example.org"');
    expect(lines).toContain('in.bcc = "b"');
    expect(lines).toContain("list[48] = 48");
    expect(lines.at(-1)).toBe("arguments = and 302 more values");
  });

  it("shows the first of too many arguments", () => {
    const args = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`a${index}`, 1]));
    const lines = linesOf(args);
    expect(lines.slice(0, 2)).toEqual(["a0 = 1", "a1 = 1"]);
    expect(lines.slice(-2)).toEqual(["a99 = 1", "arguments = and 50 more values"]);
  });

  it("names the tool itself beside the title that the server chose", () => {
    const { headline, facts } = upstreamEffect("mail", { ...tool, title: "Look" }, {});
    expect(headline).toBe('Use "Look" of the server mail');
    expect(facts).toContainEqual({ label: "tool", value: "send" });
    expect(facts).toContainEqual({ label: "undo", value: "cannot be undone here" });
  });
});
