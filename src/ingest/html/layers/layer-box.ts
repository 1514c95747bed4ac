import type { DomNode } from "html-to-text";
import { isInline, isTablePart } from "../box/box.ts";
import { offsetOf } from "../box/offset.ts";
import { attribute } from "../html-page.ts";
import { type Centring, centringOf, isSelfCentred } from "../flow/centring.ts";
import { colourOf, lengthOf } from "../../css/values.ts";
import { wordTable } from "../../../core/shared/text/word-table.ts";

/** How an element is placed and painted, to find boxes over text. CSS pixels. */
export interface LayerBox {
  kind: "line" | "block" | "beside" | "float" | "placed";
  /** Offsets of `top`, `left` and `translate`. For a box outside the normal flow they start at the box around it. */
  right: number;
  down: number;
  /** The box has an offset from the lower side. */
  bottom: number;
  hasTop: boolean;
  isFixed: boolean;
  /** The element would be part of a line of text if it were not positioned. */
  isLine: boolean;
  marginLeft: number;
  marginTop: number;
  marginBottom: number;
  above: number;
  below: number;
  width: number;
  height: number;
  /** The style gives the height, and the content does not change it. */
  isLow: boolean;
  /** The children are side by side. */
  isRow: boolean;
  /** How it centres its content. Undefined if it does not. */
  centring: Centring | undefined;
  isCentred: boolean | undefined;
  /** The box is painted with its content over the text before it. */
  isRaised: boolean;
  /** The box is the reference for the positions of other boxes. */
  isPlaced: boolean;
  layer: number;
  /** `z-index`, which also applies to children of a grid that have no position. */
  index: number;
  isOpaque: boolean;
  /** The painted edge outside the box. */
  edge: number;
  /** The children may be painted one over the other. */
  isGrid: boolean;
  /** The place in a grid, if it is given. */
  area: string | undefined;
}

/** The margins that browsers give to elements, in font sizes. */
const margins = wordTable<number>({
  p: 1,
  ul: 1,
  ol: 1,
  dl: 1,
  blockquote: 1,
  pre: 1,
  figure: 1,
  h1: 0.67,
  h2: 0.83,
  h3: 1,
  h4: 1.33,
  h5: 1.67,
  h6: 2.33,
  hr: 0.5,
});

/** Elements that have their own background or picture. */
const drawn = new Set([
  "svg",
  "input",
  "textarea",
  "select",
  "button",
  "canvas",
  "video",
  "iframe",
]);
const atoms = new Set([...drawn, "img", "math", "object"]);

export function layerBox(
  { name = "", ...element }: DomNode,
  style: ReadonlyMap<string, string>,
  em: number,
  opacity: number,
): LayerBox {
  const length = (property: string): number => lengthOf(style.get(property), em, NaN);
  const or0 = (property: string): number => length(property) || 0;
  const position = style.get("position") ?? "static";
  const isPlaced = /^(?:absolute|fixed)$/.test(position);
  const offset = offsetOf(style, em, { right: 0, down: 0 });
  const margin = (side: string): number =>
    style.has(`margin-${side}`) ? or0(`margin-${side}`) : (margins[name] ?? 0) * em;
  const [marginTop, marginBottom] = [margin("top"), margin("bottom")];
  const display = style.get("display") ?? "";
  const isMoved = ["transform", "translate", "filter", "rotate", "scale"].some(
    (one) => (style.get(one) ?? "none") !== "none",
  );
  const hasPlace = /^(?:absolute|fixed|relative|sticky)$/.test(position);
  const ownWidth = atoms.has(name) ? attribute({ ...element, name }, "width") : undefined;
  const given =
    isTablePart(name, style) || atoms.has(name)
      ? attribute({ ...element, name }, "height")
      : undefined;
  const isFilled = ["right", "bottom"].map(
    (side) => isPlaced && lengthOf(style.get(side), em) <= 0,
  );
  const percent = (side: string): boolean =>
    lengthOf(style.get(side), em, 100) >= 90 && (style.get(side) ?? "").endsWith("%");
  const height = lengthOf(style.get("height") ?? given, em, NaN);
  const index = lengthOf(style.get("z-index")) || 0;
  const hasTop = isPlaced && !Number.isNaN(lengthOf(style.get("top"), em));
  return {
    kind: kindOf(name, style, display, isPlaced),
    right: offset.right - or0("margin-left"),
    down: offset.down - or0("margin-top"),
    bottom: isPlaced && !hasTop ? length("bottom") : NaN,
    hasTop,
    isLine: isInline(name, new Map([...style].filter(([one]) => one !== "position"))),
    isFixed: position === "fixed",
    marginLeft: or0("margin-left"),
    marginTop,
    marginBottom,
    above: or0("padding-top") + or0("border-top-width"),
    below: or0("padding-bottom"),
    width:
      isFilled[0] || percent("width")
        ? Infinity
        : lengthOf(style.get("width") ?? ownWidth, em, NaN),
    height:
      (isFilled[1] && lengthOf(style.get("top"), em) <= 0) || (isPlaced && percent("height"))
        ? Infinity
        : name === "img" && Number.isNaN(height)
          ? unknownPicture
          : height,
    isLow: isLow(name, style, height),
    isRow:
      name === "tr" ||
      /^table-row$/.test(display) ||
      (display.endsWith("flex") && style.get("flex-direction")?.startsWith("column") !== true) ||
      (display.endsWith("grid") && /\s/.test(style.get("grid-template-columns") ?? "")),
    centring: centringOf(style, em, { width: Infinity, height }),
    isCentred: isSelfCentred(style.get("align-self")),
    isGrid: display.endsWith("grid"),
    isRaised: hasPlace || isMoved || opacity < 1 || isPlaced,
    isPlaced: hasPlace || isMoved,
    layer: hasPlace ? index : 0,
    index,
    isOpaque: opacity > 0.9 && isOpaque(name, style, element as DomNode),
    edge: edgeOf(style, em),
    area: areaOf(style),
  };
}

function isLow(name: string, style: ReadonlyMap<string, string>, height: number): boolean {
  const given = style.get("height");
  return given !== undefined && !given.endsWith("%") && height >= 0 && !isTablePart(name, style);
}

function areaOf(style: ReadonlyMap<string, string>): string | undefined {
  const [area, row, column] = ["grid-area", "grid-row", "grid-column"].map((one) => style.get(one));
  return area ?? (row === undefined || column === undefined ? undefined : `${row} ${column}`);
}

/** The assumed height of a picture without one. Newsletters have large pictures. CSS pixels. */
const unknownPicture = 120;

function kindOf(
  name: string,
  style: ReadonlyMap<string, string>,
  display: string,
  isPlaced: boolean,
): LayerBox["kind"] {
  if (isPlaced) return "placed";
  if (/^(?:left|right)$/.test(style.get("float") ?? "")) return "float";
  if (isInline(name, style)) return "line";
  if (name === "td" || name === "th" || display === "table-cell") return "beside";
  return display.startsWith("inline") || (display === "" && atoms.has(name)) ? "beside" : "block";
}

function isOpaque(name: string, style: ReadonlyMap<string, string>, element: DomNode): boolean {
  if (lengthOf(style.get("border-top-width")) >= 8) return true;
  if ((colourOf(style.get("background-color"))?.[3] ?? 0) > 0.9) return true;
  const image = style.get("background-image") ?? "";
  if (/gradient\(|url\(\s*["']?data:/.test(image)) return true;
  if (/\b(?:blur|brightness|contrast|opacity)\(/.test(style.get("backdrop-filter") ?? ""))
    return true;
  if (name === "img") return /^\s*(?:data|cid):/i.test(attribute(element, "src") ?? "");
  return drawn.has(name) && attribute(element, "type")?.trim().toLowerCase() !== "hidden";
}

/** Returns how far an outline or a shadow without blur is painted around a box. */
function edgeOf(style: ReadonlyMap<string, string>, em: number): number {
  const outline = lengthOf(style.get("outline-width"), em);
  const shadow = (style.get("box-shadow") ?? "").slice(0, 200);
  const lengths = /\binset\b/.test(shadow)
    ? []
    : (shadow.match(/-?[\d.]+(?:px|em)/g) ?? []).map((one) => Math.abs(lengthOf(one, em)));
  const most = Math.max(0, outline || 0, ...lengths);
  return most >= 8 ? most : 0;
}

/** A cache of the boxes of elements without declarations, by name and font size. */
const plainLayers = new Map<string, LayerBox>();

export function plainLayer(element: DomNode, { fontSize }: { fontSize: number }): LayerBox {
  const { name = "" } = element;
  if (attribute(element, "height") !== undefined || name === "img")
    return layerBox(element, new Map(), fontSize, 1);
  const key = `${name} ${fontSize}`;
  const known = plainLayers.get(key) ?? layerBox(element, new Map(), fontSize, 1);
  if (plainLayers.size > 5_000) plainLayers.clear();
  plainLayers.set(key, known);
  return known;
}

/** Returns how far content sticks out at the upper side of the box in which it is centred. */
export function stickingOut(box: LayerBox, outer: LayerBox | undefined, height: number): number {
  const own = box.centring?.whole.down === true ? box.height : Infinity;
  const isItem = box.isCentred ?? outer?.centring?.items.down === true;
  const room = Math.min(own, isItem ? (outer?.height ?? Infinity) : Infinity);
  return Math.max(0, (height - room) / 2 || 0);
}
