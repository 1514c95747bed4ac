import { describe, expect, it } from "vitest";
import { type ContentPage, cutPage, pageBytes, pageWindow } from "../../src/core/shared/page.ts";

interface Wish {
  offset?: number;
  maxBytes?: number;
  isText?: boolean;
}

/** Returns one page of these bytes, read as a store would return them. */
function page(stored: Uint8Array, wish: Wish = {}): ContentPage {
  const { offset = 0, maxBytes = pageBytes.text, isText = true } = wish;
  const window = pageWindow({ offset, maxBytes });
  const bytes = stored.subarray(window.offset, window.offset + window.length);
  return cutPage(bytes, { offset, maxBytes }, { totalBytes: stored.length, isText });
}

/** Reads all pages, each with the `nextOffset` of the one before. */
function allPages(stored: Uint8Array, wish: Omit<Wish, "offset"> = {}): ContentPage[] {
  const pages = [page(stored, wish)];
  for (;;) {
    const { truncated, nextOffset } = pages.at(-1)!;
    expect(truncated).toBe(nextOffset !== undefined);
    if (nextOffset === undefined) return pages;
    pages.push(page(stored, { ...wish, offset: nextOffset }));
    if (pages.length > stored.length) throw new Error("Paging does not move on.");
  }
}

const joined = (pages: readonly ContentPage[]): Buffer =>
  Buffer.concat(pages.map(({ content, encoding }) => Buffer.from(content, encoding)));

/** Returns the same numbers each time, so that a failure can be repeated. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const characters = ["a", " ", "\n", "é", "ß", "日", "本", "ก", "\u202E", "🎉", "👨‍👩‍👧", "\uFEFF"];
const brokenBytes = [[0x80], [0xff], [0xc3], [0xe6, 0x97], [0x80, 0x80, 0x80, 0x80, 0x80], [0xf0]];

describe("pages [pages.whole]", () => {
  it("are one page for a short text", () => {
    expect(page(Buffer.from("Grüße"))).toEqual({
      content: "Grüße",
      encoding: "utf-8",
      offset: 0,
      bytes: 7,
      totalBytes: 7,
      truncated: false,
    });
  });

  it("are one page for an empty text", () => {
    expect(page(Buffer.of())).toMatchObject({ content: "", bytes: 0, truncated: false });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
    "end on a character, wherever the limit of %i falls",
    (maxBytes) => {
      const text = "aé日🎉é🎉";
      for (const { content, encoding } of allPages(Buffer.from(text), { maxBytes })) {
        expect(encoding).toBe("utf-8");
        expect(content).not.toContain("\uFFFD");
      }
      expect(joined(allPages(Buffer.from(text), { maxBytes })).toString()).toBe(text);
    },
  );

  it("start at the next character if the offset is inside of one", () => {
    const stored = Buffer.from("a🎉b");
    for (const offset of [2, 3, 4]) {
      expect(page(stored, { offset })).toMatchObject({ content: "b", offset: 5, bytes: 1 });
    }
    expect(page(stored, { offset: 1 })).toMatchObject({ content: "🎉b", offset: 1 });
  });

  it("are empty at the end and refused beyond it, with both numbers", () => {
    const stored = Buffer.from("abc");
    expect(page(stored, { offset: 3 })).toMatchObject({ content: "", truncated: false });
    expect(() => page(stored, { offset: 4 })).toThrow("offset: 4 is beyond the end (3 bytes).");
  });

  it("keep a byte order mark, which belongs to the file", () => {
    expect(page(Buffer.from("\uFEFFa")).content).toBe("\uFEFFa");
  });

  it("are base64 for binary data, at most 12 000 bytes", () => {
    const stored = Buffer.alloc(30_000, 7);
    const first = page(stored, { isText: false });
    expect(first).toMatchObject({ encoding: "base64", bytes: 12_000, nextOffset: 12_000 });
    expect(joined(allPages(stored, { isText: false }))).toEqual(stored);
  });

  it("of a larger binary are returned on demand, otherwise only its facts", () => {
    const larger = Buffer.alloc(12_001, 7);
    const told = cutPage(larger, {}, { totalBytes: 12_001, isText: false });
    expect(told).toMatchObject({ content: "", bytes: 0, truncated: true, nextOffset: 0 });
    const whole = Buffer.alloc(12_000, 7);
    const small = cutPage(whole, {}, { totalBytes: 12_000, isText: false });
    expect(small).toMatchObject({ bytes: 12_000, truncated: false });
  });

  it("are base64 for a text that is not valid UTF-8", () => {
    const stored = Buffer.from("Grüße", "latin1");
    expect(page(stored)).toMatchObject({ encoding: "base64", content: stored.toString("base64") });
  });

  it("make up the whole, even if an invalid page precedes a valid one", () => {
    // Page 1 was cut inside a character and page 2 skipped the rest of it: two bytes were lost.
    const stored = Buffer.concat([Buffer.of(0xff), Buffer.from("日".repeat(20_000))]);
    expect(joined(allPages(stored))).toEqual(stored);
  });

  it("make up the stored bytes, for any content and page size", () => {
    const below = numbersFrom(7);
    for (let round = 0; round < 400; round += 1) {
      const parts = Array.from({ length: below(60) }, () => {
        if (below(12) === 0) return Buffer.from(brokenBytes[below(brokenBytes.length)] ?? []);
        return Buffer.from((characters[below(characters.length)] ?? "").repeat(1 + below(3)));
      });
      const stored = Buffer.concat(parts);
      const wish = { maxBytes: 1 + below(40), isText: below(5) > 0 };
      const pages = allPages(stored, wish);
      expect(joined(pages).equals(stored), `round ${round}`).toBe(true);
      expect(pages.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(stored.length);
    }
  });
});

describe("a page that tokens end early [pages.tokens]", () => {
  it("still makes up the whole with the next ones", () => {
    const stored = Buffer.from("🤷🏽请".repeat(6_000));
    const pages = allPages(stored);
    expect(pages.length).toBeGreaterThan(2);
    expect(joined(pages).equals(stored)).toBe(true);
  });
});

// The record of private content had only the pages, and a caller chose them so that none had the whole secret.
it("a page is recorded with the bytes before it, as text and as base64", () => {
  const stored = Buffer.from(`${"é".repeat(200)} The key is 84QX71KM90.`);
  const offset = stored.length - 5;
  expect(page(stored, { offset: 0 }).recorded).toBeUndefined();
  const middle = page(stored, { offset, maxBytes: 2 });
  expect(middle.content).toBe("KM");
  expect(middle.recorded).toMatch(/é{100}.* The key is 84QX71KM$/);
  const { content, recorded } = page(stored, { offset, isText: false });
  expect(Buffer.from(content, "base64").toString()).toBe("KM90.");
  expect(Buffer.from(recorded ?? "", "base64").toString()).toContain("84QX71KM90.");
});
