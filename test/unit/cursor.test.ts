import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor } from "../../src/core/shared/cursor.ts";

const query = { prefix: "notes/", order: "key" };

describe("a cursor [cursor.bound]", () => {
  it("returns the position for its query", () => {
    for (const position of ["notes/a.txt", "", "ü 日本 🎉", "x".repeat(512)]) {
      expect(decodeCursor(query, encodeCursor(query, position))).toBe(position);
    }
  });

  it("does not depend on the order of the query's fields", () => {
    const cursor = encodeCursor(query, "notes/a.txt");
    expect(decodeCursor({ order: "key", prefix: "notes/" }, cursor)).toBe("notes/a.txt");
  });

  it("is rejected for any other query", () => {
    const cursor = encodeCursor(query, "notes/a.txt");
    for (const other of [{}, { ...query, prefix: "note" }, { prefix: "notes/" }]) {
      expect(() => decodeCursor(other, cursor)).toThrow("does not belong to this query");
    }
  });

  it.each(["", "x", "AAAA", "!!!", "../../etc", "\0", "x".repeat(2_000)])(
    "is rejected if it was not issued here: %j",
    (cursor) => {
      expect(() => decodeCursor(query, cursor)).toThrow("cursor: it does not belong");
    },
  );

  it("is safe in a URL, a file name and a shell", () => {
    expect(encodeCursor(query, "ü/?&=+ '\"")).toMatch(/^[A-Za-z0-9_-]+$/);
  });
});
