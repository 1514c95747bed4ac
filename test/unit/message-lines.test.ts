import { describe, expect, it } from "vitest";
import { MessageLines, maxLineBytes } from "../../src/mcp/message-lines.ts";

function split(...chunks: readonly (string | Buffer)[]): string[] {
  const lines = new MessageLines();
  const found: string[] = [];
  for (const chunk of chunks) lines.add(Buffer.from(chunk), (line) => found.push(line));
  return found;
}

describe("the lines of a client", () => {
  it("are complete whatever the chunks are", () => {
    expect(split("one\ntwo\n")).toEqual(["one", "two"]);
    expect(split("o", "n", "e\ntw", "o\nthr")).toEqual(["one", "two"]);
    expect(split("one\n", "\n", "two", "\n")).toEqual(["one", "", "two"]);
  });

  it("may end with a carriage return", () => {
    expect(split("one\r\ntw", "o\r", "\n")).toEqual(["one", "two"]);
  });

  it("keep a character that two chunks share", () => {
    const bytes = Buffer.from("Zoë\n");
    expect(split(bytes.subarray(0, 3), bytes.subarray(3))).toEqual(["Zoë"]);
  });

  it("are refused over ten megabytes, and the next one is read", () => {
    const lines = new MessageLines();
    const found: string[] = [];
    const part = Buffer.alloc(maxLineBytes / 2 + 1, "a");
    lines.add(part, (line) => found.push(line));
    expect(() => lines.add(part, (line) => found.push(line))).toThrow("longer than 10485760 bytes");
    lines.add(Buffer.from("next\n"), (line) => found.push(line));
    expect(found).toEqual(["next"]);
  });
});
