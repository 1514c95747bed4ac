import { describe, expect, it } from "vitest";
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

  it("has none of them if the small ones exceed the limit too", () => {
    const many = Array.from({ length: 200 }, () => small).flat();
    expect(namesOf([...many, large], 12_000)).toEqual({ names: ours, searched: 601 });
    expect(namesOf(small, 0)).toEqual({ names: ours, searched: 3 });
  });
});
