import { describe, expect, it } from "vitest";
import type { ServerEntry } from "../../src/ports/upstream/upstream-server.ts";
import { definitionHash, type Pins } from "../../src/upstream/pins.ts";
import { operationOf } from "../../src/upstream/listing.ts";
import { catalog } from "../../src/tools/catalog.ts";
import { ownTools } from "../../src/upstream/own-tools.ts";
import { serverName } from "../../src/upstream/servers-file.ts";
import { isUpstreamName, offeredName } from "../../src/upstream/tool-name.ts";
import { proposedRisk, settingOf } from "../../src/upstream/tool-settings.ts";
import { reviewedTools, upstreamListings } from "../../src/upstream/upstream-catalog.ts";

const inputSchema = { type: "object" };

function entryOf(name: string, tools: ServerEntry["tools"] = {}): ServerEntry {
  const target = { kind: "http", url: "https://example.org/mcp", headers: {} } as const;
  const labels = { reads: "private", sends: true } as const;
  return { name, target, place: "", identity: name, tools, preview: {}, timeoutMs: 1, ...labels };
}

function pinsOf(servers: Readonly<Record<string, readonly string[]>>): Pins {
  const by = { risk: "low", reviewedBy: "alice", reviewedAt: "2026-01-01T00:00:00Z" } as const;
  return {
    version: 1,
    servers: Object.fromEntries(
      Object.entries(servers).map(([server, names]) => [
        server,
        {
          identity: server,
          place: "",
          seen: {},
          tools: Object.fromEntries(
            names.map((name) => {
              const definition = { name, inputSchema };
              return [name, { definition, hash: definitionHash(definition), ...by }];
            }),
          ),
        },
      ]),
    ),
  };
}

describe("the name of an upstream tool", () => {
  it("is server and tool, if every client accepts it", () => {
    expect(offeredName("notes", "add-note_2")).toBe("notes__add-note_2");
  });

  it.each(["a".repeat(200), "files/read", "lire le fichier", "x.y"])(
    "is shortened with a hash for %s",
    (tool) => {
      const name = offeredName("notes", tool);
      expect(name).toMatch(/^notes__[A-Za-z0-9_-]+_[0-9a-f]{8}$/);
      expect(name.length).toBeLessThanOrEqual(64);
    },
  );

  it("differs for two long names with the same beginning", () => {
    const beginning = "a".repeat(100);
    expect(offeredName("s", `${beginning}1`)).not.toBe(offeredName("s", `${beginning}2`));
  });

  it("withholds both tools that have it, with a reason that names both", () => {
    const entries = [entryOf("a"), entryOf("a__b")];
    const tools = reviewedTools(entries, pinsOf({ a: ["b__c", "other"], a__b: ["c"] }));
    const clash = tools.get("a__b__c")?.withheld;
    expect(clash).toContain("a/b__c");
    expect(clash).toContain("a__b/c");
    expect(clash).toContain('One of them must be "off" in "tools" of servers.json.');
    expect(upstreamListings(tools).map(({ name }) => name)).toEqual(["a__other"]);
  });

  it("withholds two tools of one server, one of which has the other's shortened name", () => {
    const shortened = offeredName("notes", "files/read").replace("notes__", "");
    const pins = pinsOf({ notes: ["files/read", shortened, "other"] });
    const tools = reviewedTools([entryOf("notes")], pins);
    const clash = tools.get(`notes__${shortened}`)?.withheld;
    expect(clash).toContain("notes/files/read");
    expect(clash).toContain(`notes/${shortened}`);
    expect(upstreamListings(tools).map(({ name }) => name)).toEqual(["notes__other"]);
    const solved = reviewedTools([entryOf("notes", { [shortened]: "off" })], pins);
    expect(solved.get(`notes__${shortened}`)).toMatchObject({
      withheld: undefined,
      pin: { definition: { name: "files/read" } },
    });
  });

  it("is never that of a built-in tool", () => {
    const names = [...catalog, ...ownTools].map(({ name }) => name);
    expect(names.filter((name) => isUpstreamName(name))).toEqual([]);
  });

  // A server with such a name could have the tools of another withheld.
  it.each([
    ["a", "_x", "a_", "x"],
    ["a", "b__c", "a__b", "c"],
    ["a", "__b", "a__", "b"],
  ])("of %s/%s is that of %s/%s, whose server's name is refused", (...row) => {
    const [server, tool, other, otherTool] = row;
    expect(`${server}__${tool}`).toBe(`${other}__${otherTool}`);
    expect(serverName.safeParse(server).success).toBe(true);
    expect(serverName.safeParse(other).success).toBe(false);
  });
});

describe("the setting of an upstream tool", () => {
  const tools = { "*": "low", "create_*": "high", create_draft: "medium", "*_all": "off" } as const;

  it.each([
    ["search", "low"],
    ["create_issue", "high"],
    ["create_draft", "medium"],
    ["delete_all", "off"],
    // The longer one of two patterns applies.
    ["create_all", "high"],
  ])("of %s is that of the most specific pattern", (name, setting) => {
    expect(settingOf(name, tools)).toBe(setting);
  });

  it("is the stricter one of two equally specific patterns", () => {
    expect(settingOf("ab", { "a*": "low", "*b": "high" })).toBe("high");
    expect(settingOf("c", { "a*": "low" })).toBeUndefined();
  });

  it("takes a tool that is off out of the list", () => {
    const tools = reviewedTools([entryOf("s", { b: "off" })], pinsOf({ s: ["a", "b"] }));
    expect([...tools.keys()]).toEqual(["s__a"]);
  });
});

describe("the proposed risk of an upstream tool", () => {
  it.each([
    [{ readOnlyHint: true }, "low"],
    // The proposal was low, although one of the two claims is false.
    [{ readOnlyHint: true, destructiveHint: true }, "high"],
    [{ readOnlyHint: true, destructiveHint: false }, "low"],
    [{ destructiveHint: false }, "medium"],
    [{ destructiveHint: true }, "high"],
    [{ readOnlyHint: "true" }, "high"],
    [{}, "high"],
    [undefined, "high"],
  ])("is that of its claims %j", (annotations, risk) => {
    expect(proposedRisk({ name: "t", inputSchema, annotations })).toBe(risk);
  });
});

describe("the operation of an upstream tool", () => {
  it.each([
    [{ readOnlyHint: true }, "low", "reads"],
    // The file may set a low risk, but the outcome of a lost call stays unknown.
    [{}, "low", "changes"],
    [{ readOnlyHint: true }, "high", "changes"],
    [{ readOnlyHint: true, destructiveHint: true }, "low", "changes"],
    [{ destructiveHint: false }, "medium", "adds"],
  ] as const)("follows from its claims %j and the risk %s", (annotations, risk, operation) => {
    expect(operationOf({ name: "t", inputSchema, annotations }, risk)).toBe(operation);
  });
});
