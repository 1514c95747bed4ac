import { describe, expect, it } from "vitest";
import { createToolSearch } from "../../src/adapters/minisearch/tool-search.ts";
import { manyTools, requests } from "../fixtures/upstream-tools.ts";

const search = createToolSearch(manyTools);

describe("the search for tools", () => {
  it("has the right tool among the first five for 95 % of the requests", () => {
    expect(manyTools).toHaveLength(200);
    expect(requests.length).toBeGreaterThanOrEqual(100);
    const missed = requests.filter(
      ({ tool, request }) => !search(request).slice(0, 5).includes(tool),
    );
    expect(1 - missed.length / requests.length, JSON.stringify(missed)).toBeGreaterThanOrEqual(
      0.95,
    );
  });

  it("reads names in camelCase and other scripts, and other forms of a word", () => {
    const named = { server: "s", title: "", description: "", argumentNames: [] };
    const found = createToolSearch([
      { ...named, id: "a", name: "deleteInvoice" },
      { ...named, id: "b", name: "x", description: "Создать счёт" },
    ]);
    expect(found("deleting invoices")).toEqual(["a"]);
    expect(found("счёт")).toEqual(["b"]);
  });

  it("finds a tool by words that mean the same as those of its name", () => {
    const named = { server: "s", title: "", description: "", argumentNames: [] };
    const found = createToolSearch([
      { ...named, id: "directory", name: "create_directory" },
      { ...named, id: "move", name: "move_file" },
      { ...named, id: "diff", name: "git_diff" },
      { ...named, id: "payments", name: "list_transactions" },
      { ...named, id: "zone", name: "get_timezone" },
    ]);
    expect(found("Make a folder")[0]).toBe("directory");
    expect(found("Rename my photos")[0]).toBe("move");
    expect(found("Compare both branches")[0]).toBe("diff");
    // Other forms of a related word, and a word that the tool writes together.
    expect(found("My purchases of last week")[0]).toBe("payments");
    expect(found("In which time zone is Lima?")[0]).toBe("zone");
  });

  it.each(["", "  ", "the of a", "\u0000", "__proto__", "constructor"])(
    "finds nothing for %j",
    (request) => {
      expect(search(request)).toEqual([]);
    },
  );
});
