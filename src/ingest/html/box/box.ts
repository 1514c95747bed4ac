import type { DomNode } from "html-to-text";
import { isCutByPath, isCutByRect } from "./clip.ts";
import { offsetOf } from "./offset.ts";
import { isCutting } from "./room.ts";
import { lengthOf } from "../../css/values.ts";

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

const tableParts = new Set("table thead tbody tfoot tr td th".split(" "));

const inline = new Set(
  "a abbr acronym b bdi bdo big br cite code del dfn em font i ins kbd label mark q s samp small span strike strong sub sup tt u var wbr".split(
    " ",
  ),
);

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
