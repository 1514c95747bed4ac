import type { DomNode } from "html-to-text";
import { isCutByPath, isCutByRect } from "./html-clip.ts";
import { lengthOf, simplified } from "../css/values.ts";

/** The text properties that determine whether a box has a size. */
interface BoxText {
  fontSize: number;
  lineHeight: string;
  whiteSpace: string;
  /** The parent element is a grid with rows or columns of size 0. */
  isInFlatGrid: boolean;
  /** The parent element has an explicit height. */
  isInHeight: boolean;
  /** A box around the element clips its content. */
  isInCut: boolean;
  /** The columns of the table have the widths of their style (`table-layout: fixed`). */
  isTableFixed: boolean;
}

/** Offsets that move text out of any window: to the left or top, and to the right or bottom. CSS pixels. */
export const outside = { back: -500, forth: 1_500 };

const tableParts = new Set("table thead tbody tfoot tr td th".split(" "));

const inline = new Set(
  "a abbr acronym b bdi bdo big br cite code del dfn em font i ins kbd label mark q s samp small span strike strong sub sup tt u var wbr".split(
    " ",
  ),
);

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

/** Returns whether an element is part of a line of text. Sizes and clipping do not apply to such elements. */
export function isInline(name: string, style: ReadonlyMap<string, string>): boolean {
  if (/^(?:absolute|fixed)$/.test(style.get("position") ?? "")) return false;
  if (/^(?:left|right)$/.test(style.get("float") ?? "")) return false;
  const display = style.get("display");
  return display === undefined ? inline.has(name) : display === "inline" || display === "contents";
}

/** Returns whether a picture has no size. */
export function isDot(style: ReadonlyMap<string, string>): boolean {
  return ["width", "height", "max-width", "max-height"].some(
    (side) => lengthOf(style.get(side)) <= 1 && !hasLeast(style, side),
  );
}

export function isTablePart(name: string, style: ReadonlyMap<string, string>): boolean {
  const display = style.get("display");
  return display === undefined
    ? tableParts.has(name)
    : display.startsWith("table") && display !== "table-caption";
}

export function isMoved(style: ReadonlyMap<string, string>): boolean {
  return /^(?:absolute|fixed|relative)$/.test(style.get("position") ?? "static");
}

/** The least size of a box that counts as covering its parent, if the size is not a percentage. CSS pixels. */
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

/** The size of a box that clips its content. CSS pixels. */
export interface Room {
  width: number;
  height: number;
}

/** The narrowest page on a computer. CSS pixels. */
const narrowest = 400;

const cuts = /hidden|clip|scroll|auto|overlay/;

export function isCutting(style: ReadonlyMap<string, string>, how = cuts): boolean {
  return (
    how.test(style.get("overflow-x") ?? "") ||
    how.test(style.get("overflow-y") ?? "") ||
    /\b(?:strict|content|paint)\b/.test(style.get("contain") ?? "")
  );
}

/** Returns the offsets of an element's content. Percentages refer to the clipping box, or are 0 if there is none. */
function offsetsOf(style: ReadonlyMap<string, string>, em: number, outer: Room): Room {
  const share = (size: number): number => (size === Infinity ? 0 : size);
  const sum = (...names: readonly string[]): number =>
    names.reduce((all, name) => {
      const isOver = /top|bottom/.test(name);
      // A percentage of a margin or padding refers to the width, on each side (CSS 2, section 8.3).
      const whole =
        isOver && name.includes("-") && outer.width === Infinity
          ? narrowest
          : share(isOver && !name.includes("-") ? outer.height : outer.width);
      return all + (lengthOf(style.get(name), em, whole) || 0);
    }, 0);
  const hasPlace = isMoved(style);
  // An offset from the opposite side moves a box in the other direction.
  const inset = (start: string, end: string): number =>
    hasPlace ? sum(start) || Math.abs(sum(end)) : 0;
  const moves = new Map([...style].filter(([name]) => /^trans(?:form|late)$/.test(name)));
  const { right, down } = offsetOf(moves, em, { right: 0, down: 0 });
  return {
    width: sum("margin-left", "padding-left") + inset("left", "right") + right,
    height: sum("margin-top", "padding-top") + inset("top", "bottom") + down,
  };
}

/** Returns whether an element's content begins within the box that clips it. */
export function isRoom(style: ReadonlyMap<string, string>, em: number, outer: Room): boolean {
  const { width, height } = offsetsOf(style, em, outer);
  return width < outer.width && height < outer.height;
}

/** Returns the space in the clipping box for the content of an element. */
export function roomIn(style: ReadonlyMap<string, string>, em: number, outer: Room): Room {
  const offsets = offsetsOf(style, em, outer);
  const isCut = isCutting(style);
  const sizeOf = (side: "width" | "height"): number => {
    const rest = outer[side] - offsets[side];
    const sizes = [side, `max-${side}`].map((name) => lengthOf(style.get(name), em, NaN));
    return isCut ? Math.min(rest, ...sizes.filter((size) => size > 0)) : rest;
  };
  return { width: sizeOf("width"), height: sizeOf("height") };
}

/** Returns whether a grid has rows or columns of size 0. Boxes in them that clip their content show nothing. */
export function isFlatGrid(style: ReadonlyMap<string, string>): boolean {
  if (!/\bgrid$/.test(style.get("display") ?? "")) return false;
  return isAllFlat(rowsOf(style)) || hasFlat(tracksOf(style, "columns"));
}

const rowsOf = (style: ReadonlyMap<string, string>): string => tracksOf(style, "rows");

/** Returns the sizes of a grid's rows or columns. */
function tracksOf(style: ReadonlyMap<string, string>, which: "rows" | "columns"): string {
  const given = style.get(`grid-template-${which}`) ?? "none";
  const tracks = /^(?:none|)$/.test(given) ? (style.get(`grid-auto-${which}`) ?? "") : given;
  return tracks
    .slice(0, 500)
    .replace(/minmax\([^(),]*,([^(),]*)\)/g, "$1")
    .replace(/repeat\([^(),]*,([^()]*)\)/g, "$1")
    .replace(/\[[^\]]*\]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Returns whether content begins before the box that clips it, or far above or below its line. */
function isOutOfCut(style: ReadonlyMap<string, string>, em: number): boolean {
  if (Math.abs(lengthOf(style.get("vertical-align"), em, em)) >= 3 * em) return true;
  const { right, down } = offsetOf(style, em, { right: 0, down: 0 });
  const isPadded = lengthOf(style.get("padding-left"), em) >= 700;
  return right <= -80 || down <= -20 || right >= 700 || isPadded;
}

const flat = "0(?:\\.0+)?(?:fr|px|em|rem|%)?";
const hasFlat = (tracks: string): boolean =>
  new RegExp(`(?:^|[\\s,])${flat}(?=[\\s)]|$)`).test(tracks);
const isAllFlat = (tracks: string): boolean => new RegExp(`^(?:${flat}(?: |$))+$`).test(tracks);

/** Returns whether a box is hidden or clipped to an empty area. */
export function isBoxGone(
  element: DomNode,
  style: ReadonlyMap<string, string>,
  css: BoxText,
): boolean {
  const { name = "" } = element;
  const is = (property: string, pattern: RegExp): boolean =>
    pattern.test(style.get(property) ?? "");
  if (is("display", /^(?:none|table-column(?:-group)?)$/)) return true;
  if (is("content-visibility", /^hidden$/)) return true;
  // A picture that replaces the content, or letters that are replaced by dots.
  if (is("content", /^(?!counter|attr|["'])[^"']*\b(?:url|gradient|image-set|image|element)\(/))
    return true;
  if (is("text-security", /^(?:disc|circle|square)$/)) return true;
  if (name === "img" && is("display", /^contents$/)) return true;
  if (css.isInCut && isOutOfCut(style, css.fontSize)) return true;
  if (isCutting(style) && lengthOf(style.get("padding-left"), css.fontSize) >= 700) return true;
  // Only Outlook applies `mso-hide`. Links are exempt, because senders write each button twice, once for Outlook.
  if (is("mso-hide", /^all$/) && !isInLink(element)) return true;
  if (isCutByPath(style.get("clip-path") ?? "")) return true;
  const isOutOfFlow = is("position", /^(?:absolute|fixed)$/);
  if (isOutOfFlow && isCutByRect(style.get("clip") ?? "")) return true;
  if (isInline(name, style)) return false;
  if (!isCutting(style)) return false;
  if (isFlatGrid(style) && isAllFlat(rowsOf(style)) && !hasHeight(style)) return true;
  // In this writing mode the lines of a clipped box are side by side. In a reversed one, the first line is cut.
  const isSized = ["width", "height", "max-width", "max-height"].some(
    (side) => lengthOf(style.get(side), css.fontSize) <= 200,
  );
  if (is("writing-mode", /^(?:vertical|sideways|tb)/) && isSized) return true;
  if (isSized && is("flex-direction", /reverse$/)) return true;
  if (
    isSized &&
    ["align-items", "align-content", "justify-content"].some((one) => is(one, /\bend$/))
  )
    return true;
  const [, across, along] =
    /^(?:auto )?([\d.]+) ?(?:\/ ?([\d.]+))?$/.exec(style.get("aspect-ratio") ?? "") ?? [];
  const width = lengthOf(style.get("width"), css.fontSize) || 700;
  if (!hasHeight(style) && (width * Number(along ?? 1)) / Number(across) <= 5) return true;
  if (css.isInFlatGrid && !["min-height", "min-width"].some((one) => lengthOf(style.get(one)) > 2))
    return true;
  // A percentage of a height that is not given means the height of the content (CSS 2, section 10.5).
  const isShare = (property: string): boolean =>
    property.endsWith("height") && (style.get(property) ?? "").endsWith("%");
  const isNothing = (property: string): boolean =>
    lengthOf(style.get(property), css.fontSize) <= 2 &&
    !hasLeast(style, property) &&
    (!isShare(property) || css.isInHeight || isOutOfFlow);
  // The content of a box with `contain: size` gives it no height.
  const hasSize = style.has("height") || hasHeight(style) || style.has("contain-intrinsic-size");
  const isContained = is("contain", /\b(?:strict|size)\b/) || is("container-type", /^size\b/);
  if (isContained && !hasSize) return true;
  if (css.isInCut && Number(style.get("order")) > 0) return true;
  const isTable = isTablePart(name, style);
  // A cell grows with its content.
  if (isTable)
    return (
      (isNothing("max-width") || (css.isTableFixed && isNothing("width"))) &&
      css.whiteSpace === "nowrap"
    );
  if (isNothing("flex-basis") && lengthOf(style.get("flex-grow")) === 0) return true;
  if (["width", "height", "max-width", "max-height"].some(isNothing)) return true;
  const indent = style.get("text-indent") ?? "";
  const tab = lengthOf(style.get("tab-size"), css.fontSize);
  if (tab >= 100 && css.whiteSpace.startsWith("pre")) return true;
  if (lengthOf(indent, css.fontSize) >= 700 && css.whiteSpace === "nowrap") return true;
  return (
    css.lineHeight !== "normal" &&
    lengthOf(css.lineHeight, css.fontSize) <= 1 &&
    css.lineHeight !== "1" &&
    !hasHeight(style)
  );
}

/** Limit on elements between a link and the cell or box that is drawn as its button. */
const mostAround = 6;

function isInLink(element: DomNode): boolean {
  let at: DomNode | null | undefined = element;
  for (let count = 0; at && count < mostAround; at = at.parent, count += 1)
    if (at.name === "a") return true;
  return false;
}

/** Returns whether a minimum overrides this width or height. */
function hasLeast(style: ReadonlyMap<string, string>, property: string): boolean {
  return lengthOf(style.get(`min-${property.replace("max-", "")}`)) > 2;
}

function hasHeight(style: ReadonlyMap<string, string>): boolean {
  return ["height", "min-height"].some((name) => lengthOf(style.get(name)) > 2);
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
