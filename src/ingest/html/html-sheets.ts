import type { DomNode } from "html-to-text";
import { appliesToReader } from "../css/media.ts";
import { attribute, childrenOf } from "./html-page.ts";
import { mailLimits } from "../pipeline/limits.ts";

/** Collects the text of the style sheets that apply to this reader. */
export function sheetsOf(root: readonly DomNode[], onTooMuch: () => void): string {
  let sheets = "";
  const markOf = createMarks();
  const open = root.toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const own = isForReader(node) ? sheetOf(node, markOf) : "";
    if (own !== "") {
      sheets += `${own}\n`;
      if (sheets.length > mailLimits.sheetCharacters) {
        onTooMuch();
        return sheets.slice(0, mailLimits.sheetCharacters);
      }
    }
    const children = node.name === "template" ? [] : (node.children ?? []);
    for (let at = children.length - 1; at >= 0; at -= 1) {
      const child = children[at];
      if (child !== undefined) open.push(child);
    }
  }
  return sheets;
}

/** Returns the style sheet that an element contains. A mail program does not fetch others. */
function sheetOf(node: DomNode, markOf: ReturnType<typeof createMarks>): string {
  if (node.name === "link") {
    const isSheet = /\bstylesheet\b/i.test(attribute(node, "rel") ?? "");
    return isSheet ? dataSheet(attribute(node, "href") ?? "") : "";
  }
  if (node.name === "meta" && /^color-scheme$/i.test(attribute(node, "name")?.trim() ?? "")) {
    const scheme = (attribute(node, "content") ?? "").replace(/[^a-z ]/gi, " ");
    return `:where(:root){color-scheme:${scheme}}`;
  }
  if (node.name !== "style") return "";
  const text = childrenOf(node)
    .map(({ data }) => data ?? "")
    .join("")
    .replace(scopeWithoutRoots, (scope) => scope + markOf(node.parent));
  return withImports(text);
}

/** Replaces imports by their sheets. They count only before all other rules (CSS Cascade 5, section 2). */
function withImports(text: string): string {
  let sheets = "";
  for (let at = 0; ;) {
    before.lastIndex = at;
    at += before.exec(text)?.[0].length ?? 0;
    imported.lastIndex = other.lastIndex = at;
    const [own, address = "", given = ""] = imported.exec(text) ?? [];
    const [skipped] = own === undefined ? (other.exec(text) ?? []) : [own];
    if (skipped === undefined) return sheets + text.slice(at);
    const media = given.replace(/\b(?:layer|supports)\b(?:\((?:[^()]|\([^()]*\))*\))?/gi, "");
    if (own !== undefined && appliesToReader(media)) sheets += `${dataSheet(address)}\n`;
    if (/^@layer/i.test(skipped)) sheets += skipped;
    at += skipped.length;
  }
}

/** A scope whose root is the parent of the style element (CSS Cascade 6, section 3.5.1). */
const scopeWithoutRoots = /@scope(?=\s*(?:\{|to\s*\())/gi;

/** Creates marks of elements: attributes that no page can write. A mark is the element's selector in brackets. */
function createMarks(): (element: DomNode | null | undefined) => string {
  let count = 0;
  return (element) => {
    // The whole page is the scope if there is no parent.
    if (element?.attribs === undefined) return "";
    const attributes = element.attribs as Record<string, string>;
    const mark = (attributes["scope of"] ??= String((count += 1)));
    return `([scope\\ of="${mark}"])`;
  };
}

/** Blanks and comments, and marks of old browsers. */
const before = /(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|<!--|-->)*/y;
const imported =
  /@import\s+(?:url\(\s*)?["']?(data:[^"')\s]{0,20000})["']?\s*\)?([^;{}]{0,200});/iy;
/** Rules that may precede an import. */
const other = /@(?:charset|layer|import)\b(?:"[^"]*"|'[^']*'|\([^)]*\)|[^;{}"'()])*;/iy;

function dataSheet(address: string): string {
  const [, parameters = "", data] = /^\s*data:text\/css([^,]*),(.*)$/is.exec(address) ?? [];
  if (data === undefined || data.length > mailLimits.sheetCharacters) return "";
  try {
    const text = decodeURIComponent(data);
    return /;\s*base64$/i.test(parameters) ? Buffer.from(text, "base64").toString("utf-8") : text;
  } catch {
    return "";
  }
}

function isForReader(style: DomNode): boolean {
  const type = (attribute(style, "type") ?? "").trim().toLowerCase();
  return (type === "" || type === "text/css") && appliesToReader(attribute(style, "media") ?? "");
}
