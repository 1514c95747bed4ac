import { describe, expect, it } from "vitest";
import { readHtml } from "../../src/ingest/html/html-text.ts";
import { hidden, visible } from "../fixtures/hidden-html.ts";
import { seen, unseen } from "../fixtures/hidden-layouts.ts";

describe("invisible text", () => {
  it.each(Object.entries(hidden))("is left out where it is hidden by %s", (_by, html) => {
    const { text } = readHtml(html);
    expect(text).toContain("yes");
    expect(text).not.toContain("no");
  });

  it.each(Object.entries(hidden).filter(([by]) => by !== "a template"))(
    "is counted where it is hidden by %s",
    (_by, html) => {
      expect(readHtml(html).invisible).toBe(1);
    },
  );
});

describe("visible text", () => {
  it.each(Object.entries(visible))("is kept: %s", (_what, html) => {
    const { text, ...rest } = readHtml(html);
    expect(text).toContain("yes");
    expect(rest).toEqual({ invisible: 0 });
  });
});

describe("a page's layout", () => {
  it.each(Object.entries(unseen))("hides text by %s", (_by, html) => {
    const { text } = readHtml(html);
    expect(text).toContain("Hello");
    expect(text).not.toContain("secret");
  });

  it.each(Object.entries(seen))("shows text with %s", (_what, html) => {
    const { text, ...rest } = readHtml(html);
    expect(text).toContain("secret words");
    expect(rest).toEqual({ invisible: 0 });
  });
});
