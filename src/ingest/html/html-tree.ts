import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse, serialize } from "parse5";
import { mailLimits } from "../pipeline/limits.ts";

type Node = DefaultTreeAdapterMap["childNode"];
type Parent = DefaultTreeAdapterMap["parentNode"];

/** Elements without content for a reader, which a simpler parser may end at another place. */
const dropped = new Set(["script", "iframe", "noembed", "noframes"]);
/** Old elements whose tags are text. */
const preformatted = new Set(["xmp", "plaintext", "listing"]);

/**
 * Writes a page as the tree that a browser makes of it (HTML, section 13.2.6): each element is closed, and misplaced
 * ones are moved. Any parser reads the result alike. `isQuirks`: browsers read its styles like old programs do.
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
        // Unclosed elements of style are opened again in every paragraph.
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
  // A style sheet of a drawing has its text in another form, which could end it.
  if (node.tagName === "style" && node.namespaceURI !== "http://www.w3.org/1999/xhtml")
    for (const text of node.childNodes)
      if (text.nodeName === "#text" && "value" in text) text.value = text.value.replace(/</g, " ");
  return true;
}

/** Replaces frames, since mail programs show a page in one of their own. */
function withoutFrames(html: string): string {
  return html.replace(/<(\/?)frameset\b/gi, "<$1div");
}
