import { describe, expect, it } from "vitest";
import { readHtml } from "../../src/ingest/html/html-text.ts";
import { seenCells, unseenCells } from "../fixtures/hidden-cells.ts";
import { seenCentred, unseenCentred } from "../fixtures/hidden-centred.ts";
import { seenConditions, unseenConditions } from "../fixtures/hidden-conditions.ts";
import { seenDrawings, unseenDrawings } from "../fixtures/hidden-drawings.ts";
import { seenEffects, unseenEffects } from "../fixtures/hidden-effects.ts";
import { hidden, visible } from "../fixtures/hidden-html.ts";
import { seen, unseen } from "../fixtures/hidden-layouts.ts";
import { seenRows, unseenRows } from "../fixtures/hidden-rows.ts";

describe("invisible text", () => {
  it.each(Object.entries(hidden))("is left out and counted if hidden by %s", (by, html) => {
    const { text, invisible } = readHtml(html);
    expect(text).toContain("yes");
    expect(text).not.toContain("no");
    // The content of a template is no part of the page.
    expect(invisible).toBe(by === "a template" ? 0 : 1);
  });
});

describe("visible text", () => {
  it.each(Object.entries(visible))("is kept: %s", (_what, html) => {
    const { text, ...rest } = readHtml(html);
    expect(text).toContain("yes");
    expect(rest).toEqual({ invisible: 0 });
  });
});

describe("a page's layout", () => {
  it.each(
    Object.entries({
      ...unseen,
      ...unseenEffects,
      ...unseenRows,
      ...unseenConditions,
      ...unseenCells,
      ...unseenCentred,
      ...unseenDrawings,
    }),
  )("hides text by %s", (_by, html) => {
    const { text } = readHtml(html);
    expect(text).toContain("Hello");
    expect(text).not.toContain("secret");
  });

  it.each(
    Object.entries({
      ...seen,
      ...seenEffects,
      ...seenRows,
      ...seenConditions,
      ...seenCells,
      ...seenCentred,
      ...seenDrawings,
    }),
  )("shows text with %s", (_what, html) => {
    const { text, ...rest } = readHtml(html);
    expect(text).toContain("secret words");
    expect(rest).toEqual({ invisible: 0 });
  });
});

it("writes parts of a line that are drawn as blocks on lines of their own", () => {
  // "1200 projects" was read as "1200Projects".
  const style = "<style>.n,.t{display:block}</style>";
  const page = `${style}<div><span class=n>1200</span><span class=t>Projects</span></div>`;
  expect(readHtml(page).text).toBe("1200\nProjects");
});

// The end of centred text was taken as visible, and its middle as hidden.
it("keeps the middle of centred content that its box clips at both ends", () => {
  const style = "display:flex;align-items:center;height:40px;overflow:hidden";
  const words = ["First", "secret words", "tail"].join("<br><br><br><br><br>");
  const { text, invisible } = readHtml(
    `<p>Hello</p><div style="${style}"><div>${words}</div></div>`,
  );
  expect([text.replace(/\s+/g, " ").trim(), invisible]).toEqual(["Hello secret words", 1]);
});

// The text of inline drawings was left out.
it("writes the visible text of an inline drawing between marks, with its links", () => {
  const shown =
    "<a href='https://example.com/'><text y='20'>Open</text></a><text y='40'>Now</text>";
  const page = `<p>Hello</p><svg><title>Icon</title>${shown}<text y='-50'>not here</text></svg>`;
  expect(readHtml(page)).toEqual({
    text: "Hello\n\n[Drawing, not shown by every program:]\nOpen [https://example.com/]\nNow\n[End of the drawing]",
    invisible: 1,
  });
});

it("bounds the work for drawings", () => {
  const page = `<svg>${"<text y='20'>a</text><rect></rect>".repeat(2_000)}</svg>`;
  expect(readHtml(page).isUnjudged).toBe(true);
});

// Each `&` was replaced by all selectors around it: 129 characters took 40 seconds.
it("does not read nested selectors that stand for too many", () => {
  const nested = `${"& & & & & & b{".repeat(8)}display:none${"}".repeat(8)}`;
  const { text, isUnjudged } = readHtml(`<style>${nested}</style><p>a <b>word</b></p>`);
  expect([text, isUnjudged]).toEqual(["a word", true]);
});
