import { expect, it } from "vitest";
import { readCallResult } from "../../src/adapters/mcp-client/call-result.ts";

it("the many blocks of one result become few, in their order and with all of their text", () => {
  const texts = Array.from({ length: 300_000 }, (_each, index) => ({
    type: "text",
    text: String(index),
  }));
  const picture = { type: "image", data: "AAAA", mimeType: "image/png" };
  const content = texts.flatMap((each, index) => (index % 100 === 0 ? [each, picture] : [each]));
  const { blocks = [] } = readCallResult({ content }) ?? {};
  expect(blocks.length).toBeLessThanOrEqual(1_002);
  const read = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : []));
  expect(read.join("\n")).toBe(texts.map(({ text }) => text).join("\n"));
  expect(blocks.some(({ kind }) => kind === "image")).toBe(true);
});
