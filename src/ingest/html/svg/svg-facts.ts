import type { DomNode } from "html-to-text";
import { attribute, childrenOf } from "../html-page.ts";
import { lengthIn } from "./svg-geometry.ts";

/** Returns the size of a drawing. Without one it is as wide as the page, or 300 pixels without `viewBox`. */
export function sizeOf(
  svg: DomNode,
  style: ReadonlyMap<string, string>,
  { size, depth }: { size: { width: number; height: number }; depth: number },
): { width: number; height: number } {
  const length = (side: "width" | "height", whole: number): number | undefined =>
    lengthIn(style.get(side) ?? attribute(svg, side), whole);
  const [, , across = 0, down = 0] = (attribute(svg, "viewbox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const ratio = across > 0 && down > 0 ? down / across : undefined;
  const height = length("height", size.height);
  const free = depth > 0 || ratio !== undefined ? size.width : 300;
  const width =
    length("width", size.width) ??
    (ratio !== undefined && height !== undefined ? height / ratio : free);
  return { width, height: height ?? (ratio === undefined ? size.height : width * ratio) };
}

export function anchorOf(element: DomNode): string {
  for (let at: DomNode | null | undefined = element; at && at.name !== "svg"; at = at.parent) {
    const style = /text-anchor\s*:\s*(\w+)/i.exec(attribute(at, "style") ?? "")?.[1];
    const own = style ?? attribute(at, "text-anchor");
    if (own !== undefined) return own.trim().toLowerCase();
  }
  return "start";
}

/** Returns whether an element changes with time, so that its computed style is unknown. */
export function changes(element: DomNode): boolean {
  return childrenOf(element).some(({ name }) => /^(?:animate|set$)/.test(name ?? ""));
}

export function isConditional(element: DomNode): boolean {
  return ["systemlanguage", "requiredextensions", "requiredfeatures"].some(
    (name) => attribute(element, name) !== undefined,
  );
}

/** Returns whether a filter paints something else than the element. */
export function isReplaced(filter: DomNode | undefined): boolean {
  if (filter === undefined) return false;
  const open = [filter];
  let left = 100;
  for (let node = open.pop(); node !== undefined && left > 0; node = open.pop()) {
    left -= 1;
    const isSource = ["in", "in2"].some((name) => attribute(node, name) === "SourceGraphic");
    if (node.name === "fedropshadow") return false;
    if (isSource && /^fe(?:mergenode|blend|composite)$/.test(node.name ?? "")) return false;
    open.push(...childrenOf(node));
  }
  return true;
}

/** Returns whether `textLength` squeezes a text together. */
export function isSqueezed(element: DomNode, em: number, width: number): boolean {
  const given = lengthIn(attribute(element, "textlength"), 700, em);
  return given !== undefined && given < width / 3;
}

export function fillOf(shape: DomNode): string {
  return (attribute(shape, "fill") ?? "#000").trim().toLowerCase();
}
