import { describe, expect, it } from "vitest";
import { likelyTokens } from "../../src/core/shared/tokens.ts";
import { upstreamListing } from "../../src/upstream/listing.ts";
import { listedTools } from "../../src/upstream/own-tools.ts";

const server = { name: "notes" };
const small = ["look", "find", "add"].map((name) =>
  upstreamListing(server, { name, inputSchema: { type: "object" } }, "low"),
);
const large = upstreamListing(
  server,
  { name: "huge", description: "words ".repeat(20_000), inputSchema: { type: "object" } },
  "low",
);
// Clients that drop the server's instructions did not say how an approved call is run.
it("a high-risk upstream tool's description says that the repeated call runs [directions.true]", () => {
  const described = (risk: "low" | "high") =>
    upstreamListing(server, { name: "a", description: "Adds.", inputSchema: {} }, risk).description;
  expect(described("high")).toBe("Adds. The user is asked; repeat the call once approved.");
  expect(described("low")).toBe("Adds.");
});

const namesOf = (tools: Parameters<typeof listedTools>[0], maxTokens: number) => {
  const { listings, searched } = listedTools(tools, maxTokens);
  return { names: listings.map(({ name }) => name), searched };
};
const ours = ["read_result", "find_tools", "call_tool"];

describe("the list of upstream tools", () => {
  it("has all of them up to the limit", () => {
    expect(namesOf(small, 12_000)).toEqual({
      names: ["notes__look", "notes__find", "notes__add", "read_result"],
      searched: 0,
    });
    expect(namesOf([], 12_000)).toEqual({ names: [], searched: 0 });
  });

  // One long definition hid every other tool.
  it("leaves out only a tool that is itself too large", () => {
    expect(namesOf([...small, large], 12_000)).toEqual({
      names: ["notes__look", "notes__find", "notes__add", ...ours],
      searched: 1,
    });
  });

  // Model services refuse each request with such a tool, so one server ended every conversation.
  it.each(["StartTime<", "größe", "$filter", "ids[]", "a b", "", "a".repeat(65)])(
    "leaves out a tool with an argument %j",
    (argument) => {
      const properties = { plain: {}, [argument]: { type: "string" } };
      const odd = { name: "odd", inputSchema: { type: "object", properties } };
      expect(namesOf([...small, upstreamListing(server, odd, "low")], 12_000)).toEqual({
        names: ["notes__look", "notes__find", "notes__add", ...ours],
        searched: 1,
      });
      const inner = {
        name: "odd",
        inputSchema: { type: "object", properties: { a: { properties } } },
      };
      expect(namesOf([upstreamListing(server, inner, "low")], 12_000).searched).toBe(0);
    },
  );

  it("has all of them at exactly the limit, and none at one token less", () => {
    const tokens = small.reduce((sum, each) => sum + likelyTokens(JSON.stringify(each)), 0);
    expect(namesOf(small, tokens).searched).toBe(0);
    expect(namesOf(small, tokens - 1)).toEqual({ names: ours, searched: small.length });
  });

  it("leaves out a tool over a quarter of the limit, and keeps one of exactly a quarter", () => {
    const [first = large] = small;
    const quarter = likelyTokens(JSON.stringify(first));
    const five = Array.from({ length: 5 }, () => first);
    const four = five.slice(0, 4);
    expect(namesOf([...four, large], 4 * quarter)).toEqual({
      names: [...four.map(({ name }) => name), ...ours],
      searched: 1,
    });
    expect(namesOf([...four, large], 4 * quarter - 1)).toEqual({ names: ours, searched: 5 });
    expect(namesOf(five, 4 * quarter)).toEqual({ names: ours, searched: 5 });
  });

  it("has none of them if the small ones exceed the limit too", () => {
    const many = Array.from({ length: 200 }, () => small).flat();
    expect(namesOf([...many, large], 12_000)).toEqual({ names: ours, searched: 601 });
    expect(namesOf(small, 0)).toEqual({ names: ours, searched: 3 });
  });
});
