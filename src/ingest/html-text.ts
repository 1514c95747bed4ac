import { compile, type DomNode, type FormatCallback, type SelectorDefinition } from "html-to-text";
import { mailLimits } from "./limits.ts";

/**
 * Styles that hide text from a reader. Best effort: style sheets are not evaluated.
 * Colour on the same colour is not looked at: too many honest mails set only one of the two.
 */
const hidingStyle =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0(?:\.0+)?(?:px|pt|em|rem|%)?\s*(?:!|;|$)|opacity\s*:\s*0(?:\.0+)?\s*(?:!|;|$)|mso-hide\s*:\s*all)/i;

function attribute(element: DomNode, name: string): string | undefined {
  // The library's types say `any`.
  const attributes = element.attribs as Readonly<Record<string, unknown>> | undefined;
  const value = attributes?.[name];
  return typeof value === "string" ? value : undefined;
}

function isHidden(element: DomNode): boolean {
  const style = attribute(element, "style");
  return (
    attribute(element, "hidden") !== undefined || (style !== undefined && hidingStyle.test(style))
  );
}

/** Leaves out what a reader of the message does not see, and hands the rest to the library's own formatter. */
const seen: FormatCallback = (element, walk, builder, options) => {
  if (isHidden(element)) return;
  builder.options.formatters[String(options["as"])]?.(element, walk, builder, options);
};

/** A row is a line. In a table that only holds data its cells are parted by a bar; in one that is layout by a line each. */
const row: FormatCallback = (element, walk, builder) => {
  if (isHidden(element)) return;
  const cells = (element.children ?? []).filter(
    (child) => (child.name === "td" || child.name === "th") && !isHidden(child),
  );
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
  // One paragraph in a cell is how word processors write a plain cell.
  return found.length > 1 || found.some(({ name }) => name === "table");
}

function unwrapped(child: DomNode): DomNode[] {
  const isBlock = child.name !== undefined && blocks.has(child.name) && !isHidden(child);
  return isBlock ? (child.children ?? []) : [child];
}

/** A picture is its description; one without is decoration or a tracking pixel. */
const picture: FormatCallback = (element, _walk, builder) => {
  const text = (attribute(element, "alt") ?? "").trim();
  if (!isHidden(element) && text !== "") builder.addInline(`[${text}]`, { noWordTransform: true });
};

function shown(
  selector: string,
  as: string,
  options: Record<string, unknown> = {},
): SelectorDefinition {
  return { selector, format: "seen", options: { ...options, as } };
}

const line = { leadingLineBreaks: 1, trailingLineBreaks: 1 };
const paragraph = { leadingLineBreaks: 2, trailingLineBreaks: 2 };
const heading = { ...paragraph, uppercase: false };

const convert = compile({
  wordwrap: false,
  // The whole document: broken mails have text outside of their body.
  baseElements: { selectors: [], returnDomByDefault: true },
  limits: { maxDepth: mailLimits.htmlDepth },
  formatters: { seen, row, picture },
  selectors: [
    shown("*", "inline"),
    ...["head", "title", "style", "script", "template", "object", "svg"].map((selector) => ({
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
      "footer",
      "form",
      "header",
      "main",
      "nav",
      "section",
    ].map((selector) => shown(selector, "block", line)),
    ...["table", "caption"].map((selector) => shown(selector, "block", line)),
    ...["thead", "tbody", "tfoot"].map((selector) => shown(selector, "inline")),
    { selector: "tr", format: "row" },
    { selector: "img", format: "picture" },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => shown(selector, "heading", heading)),
    shown("blockquote", "blockquote", { ...paragraph, trimEmptyLines: true }),
    shown("br", "lineBreak"),
    shown("hr", "horizontalLine", { ...paragraph, length: 20 }),
    shown("ol", "orderedList", line),
    shown("p", "paragraph", paragraph),
    shown("pre", "pre", paragraph),
    shown("ul", "unorderedList", { ...line, itemPrefix: "- " }),
    shown("wbr", "wbr"),
  ],
});

/** `data:` and script addresses lead nowhere; the rest stays whole, since a shortened link is a broken one. */
function shortLink(link: string): string {
  return /^\s*(?:data|javascript|cid):/i.test(link) ? "" : link.trim();
}

/** The text that a reader of this HTML sees, with links in brackets. Never throws. */
export function htmlText(html: string): string {
  try {
    return convert(html);
  } catch {
    // Recursion limits of the converter's own parts: better plain words than nothing.
    return html.replace(/<(style|script|head)\b[\s\S]*?<\/\1\s*>/gi, " ").replace(/<[^>]*>/g, " ");
  }
}
