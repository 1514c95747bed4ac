import type { DomNode } from "html-to-text";
import { lengthOf, simplified } from "../../css/values.ts";

/** Offsets that move text out of any window: to the left or top, and to the right or bottom. CSS pixels. */
export const outside = { back: -500, forth: 1_500 };

/** An offset to the right and down, in CSS pixels. */
export interface Offset {
  right: number;
  down: number;
}

/** Returns how far a box is moved from its place in the page, by its own style and by that of the boxes around it. */
export function offsetOf(style: ReadonlyMap<string, string>, em: number, outer: Offset): Offset {
  const sum = (...lengths: readonly (string | undefined)[]): number =>
    lengths.reduce((all, length) => all + (lengthOf(length?.trim(), em) || 0), 0);
  const transform = simplified(style.get("transform") ?? "");
  const offset = { ...outer };
  for (const [, name, given = ""] of transform.matchAll(/translate(x|y|3d)?\(([^()]*)\)/g)) {
    const [first, second] = given.split(",");
    if (name !== "y") offset.right += sum(first);
    offset.down += name === "y" ? sum(first) : name === "x" ? 0 : sum(second);
  }
  for (const [, space, given = ""] of transform.matchAll(/matrix(3d)?\(([^()]*)\)/g)) {
    const values = given.split(",");
    const at = space === undefined ? 4 : 12;
    offset.right += sum(values[at]);
    offset.down += sum(values[at + 1]);
  }
  const [right, down] = simplified(style.get("translate") ?? "").split(" ");
  offset.right += sum(right, style.get("margin-left"));
  offset.down += sum(down, style.get("margin-top"));
  if (isMoved(style)) {
    const right = sum(style.get("right"));
    // A box outside the normal flow begins at the other edge.
    const isFromRight = style.get("position") !== "relative" && right > 0;
    offset.right += sum(style.get("left")) || (isFromRight ? Math.min(0, 600 - right) : -right);
    offset.down += sum(style.get("top")) || -sum(style.get("bottom"));
  }
  return offset;
}

/** A fixed box beyond these sizes is never scrolled into view. CSS pixels. */
const window = { width: 690, height: 890 };

/** Limits for boxes without an explicit place, which begin at the edge of a window or box. CSS pixels. */
const outOfPlace = { left: -250, top: -60, bottom: -20 };

/** Returns whether a box is moved out of every window. */
export function isOutside(style: ReadonlyMap<string, string>, em: number, outer: Offset): boolean {
  const isFar = (length: number): boolean => length <= outside.back || length >= outside.forth;
  const { right, down } = offsetOf(style, em, outer);
  if (isFar(right) || isFar(down)) return true;
  if (["padding-left", "padding-top"].some((one) => isFar(lengthOf(style.get(one), em))))
    return true;
  const path = style.get("offset-path") ?? "none";
  if (path !== "none" && (path.match(/-?[\d.]+/g) ?? []).some((one) => isFar(Number(one))))
    return true;
  if (path !== "none" && isFar(lengthOf(style.get("offset-distance"), em))) return true;
  const position = style.get("position") ?? "";
  if (style.get("float") === "right" && lengthOf(style.get("margin-right"), em) <= -150)
    return true;
  if (lengthOf(style.get("right"), em) <= -250 && /^(?:absolute|fixed)$/.test(position))
    return true;
  if (!/^(?:absolute|fixed)$/.test(position)) return false;
  if (lengthOf(style.get("right"), em) >= 650) return true;
  const placed = new Map([...style].filter(([name]) => name !== "right" && name !== "bottom"));
  const own = offsetOf(placed, em, { right: 0, down: 0 });
  const size = (side: string): number => Math.max(0, lengthOf(style.get(side), em) || 0);
  if (position === "fixed" && lengthOf(style.get("bottom"), em) <= outOfPlace.bottom) return true;
  if (position === "fixed" && (own.right >= window.width || own.down >= window.height)) return true;
  return (
    own.right + size("width") <= outOfPlace.left || own.down + size("height") <= outOfPlace.top
  );
}

export function isMoved(style: ReadonlyMap<string, string>): boolean {
  return /^(?:absolute|fixed|relative)$/.test(style.get("position") ?? "static");
}

/** The widest letter of common text, in font sizes. */
const wide = 0.5;
/** The assumed distance of centred boxes from the edge. CSS pixels. */
const centred = 60;

/** Returns whether a box and its short text are to the left of the page, to which windows do not scroll. */
export function isPastEdge(
  element: DomNode,
  { offset, fontSize }: { offset: Offset; fontSize: number },
): boolean {
  if (offset.right > -centred) return false;
  let left = -offset.right / (wide * fontSize);
  const open: DomNode[] = [element];
  for (let node = open.pop(); node !== undefined && left >= 0; node = open.pop()) {
    if (node.type === "text") left -= (node.data ?? "").trim().length;
    open.push(...(node.children ?? []));
  }
  return left >= 0;
}
