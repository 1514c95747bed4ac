import { countTokens } from "gpt-tokenizer";
import { describe, expect, it } from "vitest";
import { cutPage, pageBytes, pageWindow } from "../../src/core/shared/page.ts";

describe("a page in a context window [pages.tokens]", () => {
  const dense = {
    Latin: "The quick brown fox jumps over the lazy dog. ",
    Chinese: "请在星期五之前审查合同并签字，然后把它寄回办公室。",
    Japanese: "金曜日までに契約書を確認して署名し、事務所に返送してください。",
    Thai: "กรุณาตรวจสอบสัญญาและลงนามก่อนวันศุกร์",
    emoji: "🎉👨‍👩‍👧🏳️‍🌈🤷🏽",
    digits: "0123456789 9876543210,",
    base64: Buffer.from("any bytes at all \0\u0001\u0002").toString("base64"),
    punctuation: "{[(<;:!?%&/$§=~#*+->|",
    lines: "\n\n\t\n  \n",
  };

  it.each(Object.entries(dense))("costs less than half of a client's limit: %s", (_name, text) => {
    const stored = Buffer.from(text.repeat(Math.ceil(40_000 / Buffer.byteLength(text))));
    const bound = { offset: 0, maxBytes: pageBytes.text };
    const facts = { totalBytes: stored.length, isText: true };
    const { content, truncated, bytes } = cutPage(
      stored.subarray(0, pageWindow(bound).length),
      bound,
      facts,
    );
    expect(truncated).toBe(true);
    expect(bytes).toBeLessThanOrEqual(pageBytes.text);
    expect(countTokens(content)).toBeLessThanOrEqual(12_000);
  });
});
