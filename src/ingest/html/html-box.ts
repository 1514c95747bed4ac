import type { DomNode } from "html-to-text";
import { lengthOf, simplified } from "./css-values.ts";

/** The text properties that decide whether a box has a size. */
interface BoxText {
  fontSize: number;
  lineHeight: string;
  whiteSpace: string;
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
  if (isFar(style.get("margin-left")) || isFar(style.get("margin-top"))) return true;
  const position = style.get("position") ?? "static";
  const isMoved = /^(?:absolute|fixed|relative)$/.test(position);
  if (isMoved && (isFar(style.get("left")) || isFar(style.get("top")))) return true;
  if (isMoved && (isFar(style.get("right"), -1) || isFar(style.get("bottom"), -1))) return true;
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
  const cuts = /hidden|clip|scroll|auto|overlay/;
  if (!is("overflow-x", cuts) && !is("overflow-y", cuts)) return false;
  const isNothing = (property: string): boolean =>
    lengthOf(style.get(property), look.fontSize) <= 2;
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
  const [, shape, given = ""] = /^([a-z]+)\(([^()]*)\)/.exec(path) ?? [];
  const values =
    given
      .split(/\bat\b|\bround\b/)[0]
      ?.trim()
      .split(/[\s,]+/) ?? [];
  const lengths = values.map((one) => lengthOf(one));
  if (shape === "circle") return (lengths[0] ?? NaN) <= 1;
  if (shape === "ellipse") return lengths.some((one) => one <= 1);
  if (shape === "inset" || shape === "rect") {
    const [top = NaN, right = top, bottom = top, left = right] = lengths;
    return shape === "inset"
      ? top + bottom >= 700 || left + right >= 700
      : bottom - top <= 1 || right - left <= 1;
  }
  if (shape !== "polygon") return false;
  const points = given.split(",").map((point) =>
    point
      .trim()
      .split(/\s+/)
      .slice(-2)
      .map((one) => lengthOf(one)),
  );
  const span = (axis: number): number => {
    const along = points.map((point) => point[axis] ?? NaN);
    return Math.max(...along) - Math.min(...along);
  };
  return span(0) <= 1 || span(1) <= 1;
}
