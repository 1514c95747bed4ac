import { randomBytes } from "node:crypto";
import { compile, type DomNode, type FormatCallback, type SelectorDefinition } from "html-to-text";
import { attribute } from "./html-page.ts";
import { normalised } from "./html-tree.ts";
import { type Visibility, visibility } from "./html-visibility.ts";
import { mailLimits } from "../pipeline/limits.ts";

/** The state of the page that is being converted. Conversion is synchronous. */
let view: Visibility = visibility();

/** Returns whether an element is visible. The first call removes hidden content from the page. */
function isShown(element: DomNode): boolean {
  return element.parent?.name !== undefined || view.clean(element);
}

/** Skips invisible elements and passes the rest to the library's own formatter. */
const seen: FormatCallback = (element, walk, builder, options) => {
  if (isShown(element))
    builder.options.formatters[String(options["as"])]?.(element, walk, builder, options);
};

let quoteDepth = 0;

const quotation: FormatCallback = (element, walk, builder, options) => {
  if (quoteDepth >= mailLimits.quoteDepth)
    return seen(element, walk, builder, { as: "block", ...line });
  quoteDepth += 1;
  seen(element, walk, builder, { ...options, as: "blockquote" });
  quoteDepth -= 1;
};

const line = { leadingLineBreaks: 1, trailingLineBreaks: 1 };

/** Writes a row as a line. A bar separates the cells of a data table. In a layout table each cell is a line. */
const row: FormatCallback = (element, walk, builder) => {
  if (!isShown(element)) return;
  const cells = (element.children ?? []).filter(({ name }) => name === "td" || name === "th");
  const isLayout = cells.some(holdsBlocks);
  builder.openBlock({ leadingLineBreaks: 1 });
  cells.forEach((cell, index) => {
    if (isLayout) builder.openBlock({ leadingLineBreaks: 1 });
    else if (index > 0) builder.addInline(" | ");
    const parts = cell.children ?? [];
    walk(isLayout ? parts : parts.flatMap(unwrapped), builder);
    if (isLayout) builder.closeBlock({ trailingLineBreaks: 1 });
  });
  builder.closeBlock({ trailingLineBreaks: 1 });
};

const blocks = new Set([
  "table",
  "div",
  "p",
  "ul",
  "ol",
  "h1",
  "h2",
  "h3",
  "h4",
  "blockquote",
  "hr",
]);

function holdsBlocks(cell: DomNode): boolean {
  const found = (cell.children ?? []).filter(({ name }) => name !== undefined && blocks.has(name));
  // Word processors write a plain cell with one paragraph.
  return found.length > 1 || found.some(({ name }) => name === "table");
}

function unwrapped(child: DomNode): DomNode[] {
  const isBlock = child.name !== undefined && blocks.has(child.name);
  return isBlock ? (child.children ?? []) : [child];
}

/** Writes a picture as its alternative text. A picture without one is decoration or a tracking pixel. */
const picture: FormatCallback = (element, _walk, builder) => {
  const text = (attribute(element, "alt") ?? "").trim();
  if (isShown(element) && text !== "") builder.addInline(`[${text}]`);
};

/** Writes a closed section between marks. Some programs show it immediately, others after a click. */
const folded: FormatCallback = (element, walk, builder) => {
  if (!isShown(element)) return;
  const children = element.children ?? [];
  const isOpen = attribute(element, "open") !== undefined;
  const title = children.find(({ name }) => name === "summary");
  const rest = children.filter((child) => isOpen || child !== title);
  const note = (text: string): void => {
    builder.openBlock(line);
    builder.addInline(text);
    builder.closeBlock(line);
  };
  builder.openBlock(line);
  if (!isOpen && title !== undefined) walk([title], builder);
  if (!isOpen) note("[Closed section, seen after a click:]");
  walk(rest, builder);
  if (!isOpen) note("[End of the closed section]");
  builder.closeBlock(line);
};

function shown(
  selector: string,
  as: string,
  options: Record<string, unknown> = {},
): SelectorDefinition {
  return { selector, format: "seen", options: { ...options, as } };
}

const paragraph = { leadingLineBreaks: 2, trailingLineBreaks: 2 };
const heading = { ...paragraph, uppercase: false };

const convert = compile({
  wordwrap: false,
  // The whole document, because broken mails have text outside their body.
  baseElements: { selectors: [], returnDomByDefault: true },
  limits: { maxDepth: mailLimits.htmlDepth },
  formatters: { seen, row, picture, quotation, folded },
  selectors: [
    shown("*", "inline"),
    ...["head", "title", "style", "script", "template", "object", "svg"].map((selector) => ({
      selector,
      format: "skip",
    })),
    // Fallbacks for programs without frames, and lists of suggestions.
    ...["iframe", "noframes", "noembed", "datalist"].map((selector) => ({
      selector,
      format: "skip",
    })),
    shown("a", "anchor", {
      hideLinkHrefIfSameAsText: true,
      noAnchorUrl: true,
      linkBrackets: ["[", "]"],
      pathRewrite: shortLink,
    }),
    ...[
      "address",
      "article",
      "aside",
      "center",
      "dd",
      "div",
      "dl",
      "dt",
      "fieldset",
      "figcaption",
      "figure",
      "footer",
      "form",
      "header",
      "main",
      "nav",
      "section",
      "summary",
    ].map((selector) => shown(selector, "block", line)),
    ...["table", "caption"].map((selector) => shown(selector, "block", line)),
    ...["thead", "tbody", "tfoot"].map((selector) => shown(selector, "inline")),
    { selector: "tr", format: "row" },
    { selector: "img", format: "picture" },
    { selector: "details", format: "folded" },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => shown(selector, "heading", heading)),
    {
      selector: "blockquote",
      format: "quotation",
      options: { ...paragraph, trimEmptyLines: true },
    },
    shown("br", "lineBreak"),
    shown("hr", "horizontalLine", { ...paragraph, length: 20 }),
    shown("ol", "orderedList", line),
    shown("p", "paragraph", paragraph),
    shown("pre", "pre", paragraph),
    shown("ul", "unorderedList", { ...line, itemPrefix: "- " }),
    shown("wbr", "wbr"),
  ],
});

/** Drops `data:` and script URLs. Others are kept whole, because a shortened link is broken. */
function shortLink(link: string): string {
  return /^\s*(?:data|javascript|cid):/i.test(link) ? "" : link.trim();
}

export interface HtmlText {
  text: string;
  /** Invisible passages that were removed. */
  invisible: number;
  /** The style sheets were too large to read, so the text may contain invisible text. */
  isUnjudged?: true;
}

/** Converts HTML to the text that a reader sees, with the addresses of links in brackets. Never throws. */
export function readHtml(html: string): HtmlText {
  try {
    quoteDepth = 0;
    const page = bounded(html);
    // A wrapper, so that text outside all elements is judged too. Its name is random, so a page cannot close it.
    const wrapper = `x-${randomBytes(6).toString("hex")}`;
    const tree = treeOf(page.html);
    view = visibility(tree?.isQuirks);
    const text = convert(`<${wrapper}>${tree?.html ?? page.html}</${wrapper}>`);
    const note = `[Cut here: ${page.leftOut} more characters of the page are in the raw message only.]`;
    return {
      text: page.leftOut === 0 ? text : `${text}\n\n${note}`,
      invisible: view.removed,
      ...((view.isIncomplete || tree === undefined) && { isUnjudged: true }),
    };
  } catch {
    // The converter exceeded its recursion limit. Plain words are better than an empty text.
    return { text: html.replace(/<[^<>]*>/g, " "), invisible: 0 };
  } finally {
    view = visibility();
  }
}

/** Returns a page as a browser reads it. Undefined if the result is too large. */
function treeOf(html: string): ReturnType<typeof normalised> | undefined {
  try {
    return normalised(html);
  } catch {
    return undefined;
  }
}

/** Elements that are closed by the next one of their kind, or are empty, and therefore do not nest. */
const flat = new Set(
  "area base br col dd dt embed hr img input li link meta option p param source td th tr track wbr".split(
    " ",
  ),
);

/**
 * Removes the tags of elements that nest deeper than any layout, but keeps their text. Cuts the page at the limit of
 * elements.
 */
function bounded(html: string): { html: string; leftOut: number } {
  let depth = 0;
  let elements = 0;
  let at = 0;
  let kept = "";
  // Not `replace`, which would collect all tags before it changes the first.
  for (const match of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^<>]*>/gi)) {
    const [tag, slash, name = ""] = match;
    if (slash === "") elements += 1;
    if (elements > mailLimits.htmlElements)
      return { html: kept + html.slice(at, match.index), leftOut: html.length - match.index };
    const isFlat = flat.has(name.toLowerCase());
    if (!isFlat && slash === "") depth += 1;
    if (depth > mailLimits.openElements) {
      kept += `${html.slice(at, match.index)} `;
      at = match.index + tag.length;
    }
    if (!isFlat && slash !== "") depth = Math.max(0, depth - 1);
  }
  return { html: kept + html.slice(at), leftOut: 0 };
}

/** Converts HTML and adds a note about removed text. */
export function notedHtmlText(html: string): string {
  const read = readHtml(html);
  return [read.text, invisibleNote(read)].filter((one) => one !== "").join("\n\n");
}

export function invisibleNote({ invisible, isUnjudged }: Omit<HtmlText, "text">): string {
  const notes = [];
  if (invisible === 1) notes.push("[1 invisible passage was removed]");
  if (invisible > 1) notes.push(`[${invisible} invisible passages were removed]`);
  if (isUnjudged === true)
    notes.push("[This page is too large to judge: it may contain more invisible text.]");
  return notes.join("\n");
}
