import type { DomNode } from "html-to-text";
import type { Cascade } from "../html-cascade.ts";
import { type ComputedStyle, computedStyleOf } from "../html-computed-style.ts";
import { attribute, childrenOf, type Page } from "../html-page.ts";
import type { DrawingPage } from "./drawing-page.ts";
import type { Drawing } from "./svg-canvas.ts";
import { drawingOf } from "./svg-texts.ts";

/** Limit on elements of drawings that are judged in one page, each text with each later shape. */
const mostSteps = 200_000;

/** The inline drawings of a page. */
export interface Drawings {
  /** @param outer the computed style around the drawing */
  judge(svg: DomNode, outer: ComputedStyle): Drawing;
  readonly isIncomplete: boolean;
}

export function drawingsIn(page: Page, cascade: Cascade): Drawings {
  let left = mostSteps;
  let ids: Map<string, DomNode> | undefined;
  const fills = new Map<DomNode, string | undefined>();

  /** Returns the `fill` that the elements around a drawing give. */
  function fillAround(svg: DomNode): string | undefined {
    const path: DomNode[] = [];
    let at = page.parentOf(svg);
    for (; at !== undefined && !fills.has(at); at = page.parentOf(at)) path.push(at);
    let fill = at && fills.get(at);
    for (const one of path.toReversed()) {
      const given = cascade.declaredFor(one).get("fill") ?? "inherit";
      if (!/^(?:inherit|unset|revert)/.test(given)) fill = given;
      fills.set(one, fill);
    }
    return fill;
  }

  const spend = (steps: number): boolean => (left -= steps) >= 0;
  return {
    get isIncomplete() {
      return left < 0;
    },
    judge: (svg, outer) => {
      const own: DrawingPage = {
        styleIn: (element, around, change) =>
          computedStyleOf(element, change(cascade.declaredFor(element)), around),
        find: (id) => (ids ??= idsIn(page.top)).get(id),
        spend,
      };
      return drawingOf(svg, outer, own, fillAround(svg));
    },
  };
}

function idsIn(top: readonly DomNode[]): Map<string, DomNode> {
  const ids = new Map<string, DomNode>();
  const open = top.toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const id = attribute(node, "id");
    if (id !== undefined && !ids.has(id)) ids.set(id, node);
    for (const child of childrenOf(node).toReversed()) open.push(child);
  }
  return ids;
}

const opening = "[Drawing, not shown by every program:]";
const closing = "[End of the drawing]";

/** Replaces a drawing by its visible texts between marks. Gmail and Outlook do not show inline drawings. */
export function writeDrawing(svg: DomNode, texts: readonly DomNode[]): void {
  const lines: DomNode[] = [text(opening)];
  let last: DomNode | undefined;
  for (const node of texts) {
    if ((node.data ?? "").trim() === "") continue;
    const { line, link } = aroundOf(node);
    if (line !== last) lines.push(lineBreak());
    last = line;
    const own = text(node.data ?? "");
    lines.push(
      link === undefined ? own : { ...tag("a"), attribs: { href: link }, children: [own] },
    );
  }
  if (last === undefined) return;
  svg.name = "figure";
  svg.attribs = {};
  svg.children = [...lines, lineBreak(), text(closing)];
  for (const child of svg.children) child.parent = svg;
}

/** Returns the element `text` around a text, and the address of a link around it. */
function aroundOf(node: DomNode): { line: DomNode; link: string | undefined } {
  let line = node;
  let link: string | undefined;
  for (let at = node.parent; at && at.name !== "svg"; at = at.parent) {
    if (at.name === "text" || at.name === "foreignobject") line = at;
    if (at.name === "a") link ??= attribute(at, "href") ?? attribute(at, "xlink:href");
  }
  return { line, link };
}

const tag = (name: string): DomNode => ({ type: "tag", name, attribs: {}, children: [] });
// A text node has no children, although the library's types say so.
const text = (data: string): DomNode => ({ type: "text", data }) as DomNode;
const lineBreak = (): DomNode => tag("br");
