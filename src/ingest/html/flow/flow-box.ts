import type { DomNode } from "html-to-text";
import { isInline, isTablePart } from "../box/box.ts";
import { isCutting } from "../box/room.ts";
import { attribute, childrenOf } from "../html-page.ts";
import { lengthOf } from "../../css/values.ts";
import { type Centring, centringOf, isSelfCentred } from "./centring.ts";
import { cellItem, type Item, type Items, itemOf, itemsOf } from "./items.ts";

/** How an element is placed in the flow of its parent. CSS pixels. */
export interface FlowBox {
  kind: "line" | "block" | "beside" | "float" | "placed";
  /** The content beyond these sizes is clipped. */
  cut: { width: number; height: number; column: number } | undefined;
  /** The width that the style gives in CSS pixels. 0 for none. */
  width: number;
  height: number;
  /** Margin and padding over the content, and under it. */
  above: number;
  below: number;
  /** How its children are placed side by side, or below each other. Undefined for the normal flow. */
  items: Items | undefined;
  /** How it is placed among such children. */
  item: Item;
  centring: Centring | undefined;
  /** Whether it is itself centred in a row. Undefined if its row decides. */
  isCentred: boolean | undefined;
  /** `vertical-align`, if it is given. */
  align: string | undefined;
  /** The height of a line. */
  line: number;
  /** Begins in a new column. */
  isNextColumn: boolean;
  /** Begins below floating boxes. */
  isClear: boolean;
  /** Lines that are too long are clipped at their left side. */
  isRightToLeft: boolean;
}

/** The height of a line without an explicit height, in font sizes. */
const normalLine = 1.1;
/** A box without a width clips a line at most here. CSS pixels. */
const widestLine = 1_000;
/** The widest window. CSS pixels. */
export const widest = 1_500;

export interface FlowText {
  fontSize: number;
  lineHeight: string;
  whiteSpace: string;
  letterSpacing: number;
  isRightToLeft: boolean;
}

/** Returns the least height of a line. */
export function lineOf({ fontSize, lineHeight }: FlowText): number {
  const length = /^[\d.]+$/.test(lineHeight)
    ? Number(lineHeight) * fontSize
    : lengthOf(lineHeight, fontSize, fontSize);
  return Number.isNaN(length) ? normalLine * fontSize : Math.max(1, length);
}

/**
 * Returns how an element is placed.
 * @param style its declarations
 * @param text the text in it. `outerHeight` is that of the box around it, if it is known
 */
export function flowBox(
  element: DomNode,
  style: ReadonlyMap<string, string>,
  text: FlowText & { outerHeight?: number },
): FlowBox {
  const { name = "" } = element;
  const em = text.fontSize;
  const kind = kindOf(name, style);
  const items = itemsOf(name, style, em);
  const isTable = isTablePart(name, style);
  const { width, height } = limitsOf(element, { style, text, items });
  const given = isTable || name === "img" ? attribute(element, "height") : undefined;
  const heights = [style.get("height") ?? given, style.get("min-height")];
  const sum = (...properties: readonly string[]): number => sumOf(style, em, properties);
  return {
    kind,
    cut: isClipped(name, style, { kind, isTable })
      ? cutOf(style, { kind, width, height, text })
      : undefined,
    width: (style.get("width") ?? "").endsWith("%")
      ? 0
      : lengthOf(style.get("width"), em, NaN) || 0,
    height: Math.max(0, ...heights.map((one) => lengthOf(one, em, NaN) || 0)),
    above: sum("margin-top", "padding-top", "border-top-width") + spacingOf(element, style),
    below: Math.max(0, sum("margin-bottom", "padding-bottom")),
    items,
    item:
      name === "td" || name === "th"
        ? cellItem(element, itemOf(style, em), style.get("width"), em)
        : itemOf(style, em),
    centring: centringOf(style, em, { width, height }),
    isCentred: isSelfCentred(style.get("align-self")),
    align: style.get("vertical-align"),
    line: lineOf(text),
    isNextColumn: /^(?:column|always|all)$/.test(style.get("break-before") ?? ""),
    isRightToLeft: text.isRightToLeft,
    isClear: /^(?:both|left|right)$/.test(style.get("clear") ?? ""),
  };
}

/** Returns the largest width and height that the style leaves to the content. Infinity without a limit. */
function limitsOf(
  element: DomNode,
  {
    style,
    text,
    items,
  }: {
    style: ReadonlyMap<string, string>;
    text: FlowText & { outerHeight?: number };
    items: Items | undefined;
  },
): { width: number; height: number } {
  const limit = (side: "width" | "height", whole: number): number =>
    Math.min(
      ...[side, `max-${side}`]
        .map((property) => lengthOf(style.get(property), text.fontSize, whole))
        .filter((size) => size > 2),
      Infinity,
    );
  const lines = lengthOf(style.get("-webkit-line-clamp"));
  return {
    width: limit("width", NaN),
    height: Math.min(
      limit("height", text.outerHeight ?? NaN),
      lines > 0 ? lines * lineOf(text) : Infinity,
      items === undefined ? Infinity : rowsHeight(element, items),
    ),
  };
}

/** Returns whether a box clips its content. */
function isClipped(
  name: string,
  style: ReadonlyMap<string, string>,
  { kind, isTable }: { kind: FlowBox["kind"]; isTable: boolean },
): boolean {
  return (
    kind !== "line" &&
    !isTable &&
    isCutting(style, /hidden|clip/) &&
    name !== "html" &&
    name !== "body"
  );
}

/** Returns the sizes beyond which a box clips its content. */
function cutOf(
  style: ReadonlyMap<string, string>,
  {
    kind,
    width,
    height,
    text,
  }: { kind: FlowBox["kind"]; width: number; height: number; text: FlowText },
): NonNullable<FlowBox["cut"]> {
  const em = text.fontSize;
  const isOneLine = kind === "block" && /^(?:nowrap|pre)$/.test(text.whiteSpace);
  // The content of a `border-box` begins below the padding and within the height.
  const inside =
    style.get("box-sizing") === "border-box"
      ? sumOf(style, em, ["padding-top", "border-top-width"])
      : 0;
  return {
    width: isOneLine ? Math.min(widestLine, width) : width,
    height: Math.max(0, height - inside) * columnsOf(style, em, width),
    column: style.has("column-count") || style.has("column-width") ? height - inside : 0,
  };
}

/** Returns the sum of the lengths of these properties. A missing or invalid one counts as 0. */
function sumOf(
  style: ReadonlyMap<string, string>,
  em: number,
  properties: readonly string[],
): number {
  return properties.reduce((all, one) => all + (lengthOf(style.get(one), em, 0) || 0), 0);
}

/** Returns the height of a grid whose rows have given heights. Infinity for other boxes. */
function rowsHeight(element: DomNode, { rows, columns, gapDown }: Items): number {
  const children = childrenOf(element).filter(({ name }) => name !== undefined);
  const places = rows.length * Math.max(1, columns.length);
  if (rows.length === 0 || rows.includes(0) || children.length > places) return Infinity;
  return rows.reduce((sum, row) => sum + row, gapDown * (rows.length - 1));
}

/** Returns the space between a table and its first cell. */
function spacingOf(element: DomNode, style: ReadonlyMap<string, string>): number {
  if (element.name !== "table") return 0;
  const given = lengthOf(style.get("border-spacing"));
  const spacing = Number.isNaN(given) ? Number(attribute(element, "cellspacing") ?? 0) : given;
  return Math.max(0, (spacing || 0) + (Number(attribute(element, "cellpadding") ?? 0) || 0));
}

const mostColumns = 20;

/** Returns how many columns a box has, as far as they fit in. */
function columnsOf(style: ReadonlyMap<string, string>, em: number, width: number): number {
  const count = Number(style.get("column-count")) || Infinity;
  const each = lengthOf(style.get("column-width"), em, NaN);
  const fitting = each > 0 ? Math.max(1, Math.floor(Math.min(width, widest) / each)) : Infinity;
  const columns = Math.min(count, fitting);
  return columns === Infinity ? 1 : Math.min(mostColumns, columns);
}

/** Elements that are placed in a line of text. */
const atoms = new Set("img input button select textarea svg math object iframe".split(" "));

function kindOf(name: string, style: ReadonlyMap<string, string>): FlowBox["kind"] {
  if (/^(?:absolute|fixed)$/.test(style.get("position") ?? "")) return "placed";
  if (/^(?:left|right)$/.test(style.get("float") ?? "")) return "float";
  if (isInline(name, style)) return "line";
  const display = style.get("display") ?? (atoms.has(name) ? "inline-block" : "block");
  return display.startsWith("inline") ? "beside" : "block";
}
