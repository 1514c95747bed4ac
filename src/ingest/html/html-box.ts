import type { DomNode } from "html-to-text";
import { lengthOf, simplified } from "./css-values.ts";

/** The text properties that decide whether a box has a size. */
interface BoxText {
  fontSize: number;
  lineHeight: string;
  whiteSpace: string;
  /** The parent element is a grid without height or width. */
  isInFlatGrid: boolean;
}

/** An offset that moves text out of every window: to the left or top, and to the right or bottom. CSS pixels. */
export const away = { back: -500, forth: 1_500 };

const tableParts = new Set("table thead tbody tfoot tr td th".split(" "));

const inline = new Set(
  "a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd label mark q s samp small span strike strong sub sup tt u var".split(
    " ",
  ),
);

/** Returns whether a box is moved out of every window. */
export function isAway(style: ReadonlyMap<string, string>, em: number): boolean {
  const isFar = (value: string | undefined, sign = 1): boolean => {
    const length = lengthOf(value, em) * sign;
    return length <= away.back || length >= away.forth;
  };
  if (
    ["margin-left", "margin-top", "padding-left", "padding-top"].some((one) =>
      isFar(style.get(one)),
    )
  )
    return true;
  const path = style.get("offset-path") ?? "none";
  if (path !== "none" && (path.match(/-?[\d.]+/g) ?? []).some((one) => isFar(one))) return true;
  const hasPlace = isMoved(style);
  if (hasPlace && (isFar(style.get("left")) || isFar(style.get("top")))) return true;
  if (hasPlace && (isFar(style.get("right"), -1) || isFar(style.get("bottom"), -1))) return true;
  const transform = simplified(style.get("transform") ?? "");
  const moves = [...transform.matchAll(/translate(?:x|y|3d)?\(([^()]*)\)/g)];
  const lengths = [
    ...moves.flatMap(([, given = ""]) => given.split(",").slice(0, 2)),
    ...simplified(style.get("translate") ?? "")
      .split(" ")
      .slice(0, 2),
  ];
  return lengths.some((one) => isFar(one.trim()));
}

export function isMoved(style: ReadonlyMap<string, string>): boolean {
  return /^(?:absolute|fixed|relative)$/.test(style.get("position") ?? "static");
}

/** The least size of a box that covers its parent, if no percentage says so. CSS pixels. */
const whole = 600;

/** Returns whether a box covers all of its parent. */
export function isWhole(style: ReadonlyMap<string, string>): boolean {
  if (!/^(?:absolute|fixed)$/.test(style.get("position") ?? "")) return false;
  const fills = (start: string, end: string, size: string): boolean =>
    !(lengthOf(style.get(start)) > 0) &&
    (lengthOf(style.get(size)) >= whole ||
      (lengthOf(style.get(start)) <= 0 && lengthOf(style.get(end)) <= 0));
  return fills("left", "right", "width") && fills("top", "bottom", "height");
}

/** The size of a box that cuts its content. CSS pixels. */
export interface Room {
  width: number;
  height: number;
}

const cuts = /hidden|clip|scroll|auto|overlay/;

function isCutting(style: ReadonlyMap<string, string>): boolean {
  return (
    cuts.test(style.get("overflow-x") ?? "") ||
    cuts.test(style.get("overflow-y") ?? "") ||
    /\b(?:strict|content|paint)\b/.test(style.get("contain") ?? "")
  );
}

/** Returns the offsets of an element's content. Percentages depend on a layout and count as 0. */
function offsetsOf(style: ReadonlyMap<string, string>, em: number): Room {
  const sum = (...names: readonly string[]): number =>
    names.reduce((all, name) => all + (lengthOf(style.get(name), em, 0) || 0), 0);
  const [left, top] = isMoved(style) ? (["left", "top"] as const) : [];
  return {
    width: sum("margin-left", "padding-left", left ?? ""),
    height: sum("margin-top", "padding-top", top ?? ""),
  };
}

/** Returns whether an element's content begins within the box that cuts it. */
export function isRoom(style: ReadonlyMap<string, string>, em: number, outer: Room): boolean {
  const { width, height } = offsetsOf(style, em);
  return width < outer.width && height < outer.height;
}

/** Returns the room for the content of an element. */
export function roomIn(style: ReadonlyMap<string, string>, em: number, outer: Room): Room {
  const offsets = offsetsOf(style, em);
  const isCut = isCutting(style);
  const sizeOf = (side: "width" | "height"): number => {
    const rest = outer[side] - offsets[side];
    const sizes = [side, `max-${side}`].map((name) => lengthOf(style.get(name), em, NaN));
    return isCut ? Math.min(rest, ...sizes.filter((size) => size > 0)) : rest;
  };
  return { width: sizeOf("width"), height: sizeOf("height") };
}

/** Returns whether a grid gives its boxes a height or width of 0. Boxes that cut their content are empty then. */
export function isFlatGrid(style: ReadonlyMap<string, string>): boolean {
  if (!/\bgrid$/.test(style.get("display") ?? "")) return false;
  return ["grid-template-rows", "grid-template-columns"].some((name) =>
    /^(?:0(?:fr|px|em|rem|%)?(?: |$))+$/.test(style.get(name) ?? ""),
  );
}

/** Returns whether a box is hidden or clipped to an empty area. */
export function isBoxGone(
  { name = "" }: DomNode,
  style: ReadonlyMap<string, string>,
  look: BoxText,
): boolean {
  const is = (property: string, pattern: RegExp): boolean =>
    pattern.test(style.get(property) ?? "");
  if (is("display", /^none$/) || is("content-visibility", /^hidden$/)) return true;
  // Only Outlook applies `mso-hide`. Links are exempt, because senders write a button twice, once for Outlook.
  if (is("mso-hide", /^all$/) && name !== "a") return true;
  if (isCutByPath(style.get("clip-path") ?? "")) return true;
  const isOutOfFlow = is("position", /^(?:absolute|fixed)$/);
  if (isOutOfFlow && isCutByRect(style.get("clip") ?? "")) return true;
  const display = style.get("display");
  const isInline =
    (display === undefined ? inline.has(name) : display === "inline" || display === "contents") &&
    !isOutOfFlow &&
    !is("float", /^(?:left|right)$/);
  if (isInline) return false;
  if (!isCutting(style)) return false;
  if (look.isInFlatGrid && !["min-height", "min-width"].some((one) => lengthOf(style.get(one)) > 2))
    return true;
  const isNothing = (property: string): boolean =>
    lengthOf(style.get(property), look.fontSize) <= 2 && !hasLeast(style, property);
  // The content of a box with `contain: size` gives it no height.
  const isSized = style.has("height") || hasHeight(style) || style.has("contain-intrinsic-size");
  if (is("contain", /\b(?:strict|size)\b/) && !isSized) return true;
  const isTable = display === undefined ? tableParts.has(name) : display.startsWith("table");
  // The content of a cell makes it as large as needed.
  if (isTable) return isNothing("max-width") && look.whiteSpace === "nowrap";
  if (["width", "height", "max-width", "max-height"].some(isNothing)) return true;
  const indent = style.get("text-indent") ?? "";
  if (indent.endsWith("%") && lengthOf(indent) >= 700 && look.whiteSpace === "nowrap") return true;
  return (
    look.lineHeight !== "normal" &&
    lengthOf(look.lineHeight, look.fontSize) <= 1 &&
    look.lineHeight !== "1" &&
    !hasHeight(style)
  );
}

/** Returns whether a minimum overrides this width or height. */
function hasLeast(style: ReadonlyMap<string, string>, property: string): boolean {
  return lengthOf(style.get(`min-${property.replace("max-", "")}`)) > 2;
}

function hasHeight(style: ReadonlyMap<string, string>): boolean {
  return ["height", "min-height"].some((name) => lengthOf(style.get(name)) > 2);
}

function isCutByRect(clip: string): boolean {
  const [, given] = /^rect\(([^()]*)\)$/.exec(clip) ?? [];
  if (given === undefined) return false;
  const [top = NaN, right = NaN, bottom = NaN, left = NaN] = given
    .trim()
    .split(/[\s,]+/)
    .map((one) => lengthOf(one));
  return bottom - top <= 2 || right - left <= 2;
}

function isCutByPath(path: string): boolean {
  const [, shape, given = ""] = /^([a-z]+)\(([^()]*)\)/.exec(simplified(path)) ?? [];
  const numbers = (text = ""): number[] =>
    text
      .trim()
      .split(/[\s,]+/)
      .map((one) => lengthOf(one));
  const [sizes, centre] = given.split(/\bround\b/)[0]?.split(/\bat\b/) ?? [];
  const lengths = numbers(sizes);
  if (shape === "circle" || shape === "ellipse") {
    const radii = [lengths[0] ?? NaN, lengths[1] ?? lengths[0] ?? NaN];
    const at = numbers(centre);
    return radii.some((radius, axis) => radius <= 1 || (at[axis] ?? NaN) + radius <= 1);
  }
  if (shape === "inset" || shape === "rect") {
    const [top = NaN, right = top, bottom = top, left = right] = lengths;
    return shape === "inset"
      ? top + bottom >= 700 || left + right >= 700
      : bottom - top <= 1 || right - left <= 1;
  }
  if (shape === "xywh") return lengths.slice(2, 4).some((one) => one <= 1);
  if (shape !== "polygon" && shape !== "path") return false;
  const points =
    shape === "path"
      ? pairsIn(given)
      : given.split(",").map((point) => numbers(point.trim().split(/\s+/).slice(-2).join(" ")));
  const isEmpty = (axis: number): boolean => {
    const along = points.map((point) => point[axis] ?? NaN);
    return Math.max(...along) - Math.min(...along) <= 1 || Math.max(...along) <= 1;
  };
  return isEmpty(0) || isEmpty(1);
}

/** Returns the points of an SVG path of lines with absolute places. Other paths have an unknown extent. */
function pairsIn(path: string): number[][] {
  if (/[a-y]/.test(path.replace(/e[+-]?\d/g, "").replace(/[ml]/g, ""))) return [[NaN, NaN]];
  const numbers = (path.match(/-?[\d.]+/g) ?? []).map(Number);
  return Array.from({ length: Math.floor(numbers.length / 2) }, (_, at) =>
    numbers.slice(2 * at, 2 * at + 2),
  );
}
