import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse, serialize } from "parse5";
import { mailLimits } from "../pipeline/limits.ts";

type Node = DefaultTreeAdapterMap["childNode"];
type Parent = DefaultTreeAdapterMap["parentNode"];

/** Elements without visible content, whose end a simpler parser may find at another place. */
const dropped = new Set(["script", "iframe", "noembed", "noframes"]);
/** Old elements in which tags are text. */
const preformatted = new Set(["xmp", "plaintext", "listing"]);

/**
 * Writes a page as the tree that a browser builds (HTML, section 13.2.6): each element is closed, and misplaced ones
 * are moved. Every parser reads the result in the same way. `isQuirks` is true if browsers read its styles in quirks
 * mode.
 * @throws RangeError if the tree is much larger than the page
 */
export function normalised(html: string): { html: string; isQuirks: boolean } {
  let elements = 0;
  const document = parse(withoutFrames(html), {
    scriptingEnabled: false,
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement: (...given) => {
        elements += 1;
        // Unclosed formatting elements are opened again in every paragraph.
        if (elements > 2 * mailLimits.htmlElements) throw new RangeError("too many elements");
        return defaultTreeAdapter.createElement(...given);
      },
    },
  });
  const isQuirks = document.mode === "quirks";
  const open: Parent[] = [document];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    parent.childNodes = parent.childNodes.filter(isContent);
    for (const child of parent.childNodes) {
      if (!("tagName" in child)) continue;
      if (preformatted.has(child.tagName)) child.nodeName = child.tagName = "pre";
      open.push(child);
      if ("content" in child) open.push(child.content);
    }
  }
  return { html: serialize(document, { scriptingEnabled: false }), isQuirks };
}

function isContent(node: Node): boolean {
  if (node.nodeName === "#comment" || node.nodeName === "#documentType") return false;
  if (!("tagName" in node)) return true;
  if (dropped.has(node.tagName)) return false;
  // The style sheet of an SVG drawing is escaped differently, and its text could end the element.
  if (node.tagName === "style" && node.namespaceURI !== "http://www.w3.org/1999/xhtml")
    for (const text of node.childNodes)
      if (text.nodeName === "#text" && "value" in text) text.value = text.value.replace(/</g, " ");
  return true;
}

/** Replaces frames, because mail programs show a page inside a frame. */
function withoutFrames(html: string): string {
  return html.replace(/<(\/?)frameset\b/gi, "<$1div");
}
