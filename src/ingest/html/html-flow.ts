import type { DomNode } from "html-to-text";
import { isCutting, isInline, isTablePart } from "./html-box.ts";
import {
  cellItem,
  type Item,
  type Items,
  itemOf,
  itemsFor,
  itemsOf,
  placeItem,
} from "./html-items.ts";
import { attribute } from "./html-page.ts";
import { lengthOf } from "../css/values.ts";

/** How an element is placed in the flow of its parent. CSS pixels. */
export interface FlowBox {
  kind: "line" | "block" | "beside" | "float" | "away";
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

/** The least space that the content has filled so far, in the nearest box that clips its content. CSS pixels. */
export interface Flow {
  width: number;
  height: number;
  down: number;
  /** The width of the row before the content. */
  left: number;
  /** The used part of the line. */
  across: number;
  /** The height of the current line of text. */
  line: number;
  /** The lower end of the floating boxes. */
  floats: number;
  /** The height of each of its columns. 0 if the text has one. */
  column: number;
  /** True if the passage beyond the box was counted as invisible. */
  isCounted: boolean;
  isRightToLeft: boolean;
}

/** The facts about a table cell besides its style. */
export interface Cell {
  /** The height that its row gives, or its table if this is the only row. CSS pixels. 0 for none. */
  height: number;
  /** The `vertical-align` of its attributes and those of its row. */
  align: string;
}

/** The height of a line without an explicit height, in font sizes. */
const normalLine = 1.1;
/** A character of average text is at least this wide, in font sizes. */
const narrow = 0.2;
/** A line of which a smaller share is visible cannot be read. */
const cutShare = 0.35;
/** A box without a width clips a line at most here. CSS pixels. */
const widestLine = 1_000;
/** The widest window. CSS pixels. */
const widest = 1_500;

interface FlowText {
  fontSize: number;
  lineHeight: string;
  whiteSpace: string;
  letterSpacing: number;
  isRightToLeft: boolean;
}

/** Returns the least height of a line. */
function lineOf({ fontSize, lineHeight }: FlowText): number {
  const length = /^[\d.]+$/.test(lineHeight)
    ? Number(lineHeight) * fontSize
    : lengthOf(lineHeight, fontSize, fontSize);
  return Number.isNaN(length) ? normalLine * fontSize : Math.max(1, length);
}

export function flowBox(
  element: DomNode,
  style: ReadonlyMap<string, string>,
  text: FlowText & { outerHeight?: number },
): FlowBox {
  const { name = "" } = element;
  const em = text.fontSize;
  const isTable = isTablePart(name, style);
  const kind = kindOf(name, style);
  const lines = lengthOf(style.get("-webkit-line-clamp"));
  const limit = (side: "width" | "height"): number =>
    Math.min(
      ...[side, `max-${side}`]
        .map((property) =>
          lengthOf(style.get(property), em, side === "height" ? (text.outerHeight ?? NaN) : NaN),
        )
        .filter((size) => size > 2),
      Infinity,
    );
  const isCut =
    kind !== "line" &&
    !isTable &&
    isCutting(style, /hidden|clip/) &&
    name !== "html" &&
    name !== "body";
  const width = limit("width");
  const isOneLine = kind === "block" && /^(?:nowrap|pre)$/.test(text.whiteSpace);
  const height = Math.min(limit("height"), lines > 0 ? lines * lineOf(text) : Infinity);
  const given = isTable || name === "img" ? attribute(element, "height") : undefined;
  const heights = [style.get("height") ?? given, style.get("min-height")];
  const sum = (...properties: readonly string[]): number =>
    properties.reduce((all, one) => all + (lengthOf(style.get(one), em, 0) || 0), 0);
  const columns = columnsOf(style, em, width);
  // The content of a `border-box` begins below the padding and within the height.
  const inside =
    style.get("box-sizing") === "border-box" ? sum("padding-top", "border-top-width") : 0;
  const cut = {
    width: isOneLine ? Math.min(widestLine, width) : width,
    height: Math.max(0, height - inside) * columns,
    column: style.has("column-count") || style.has("column-width") ? height - inside : 0,
  };
  return {
    kind,
    cut: isCut ? cut : undefined,
    width: (style.get("width") ?? "").endsWith("%")
      ? 0
      : lengthOf(style.get("width"), em, NaN) || 0,
    height: Math.max(0, ...heights.map((one) => lengthOf(one, em, NaN) || 0)),
    above: sum("margin-top", "padding-top", "border-top-width") + spacingOf(element, style),
    below: Math.max(0, sum("margin-bottom", "padding-bottom")),
    items: itemsOf(name, style, em),
    item:
      name === "td" || name === "th"
        ? cellItem(element, itemOf(style, em), style.get("width"), em)
        : itemOf(style, em),
    align: style.get("vertical-align"),
    line: lineOf(text),
    isNextColumn: /^(?:column|always|all)$/.test(style.get("break-before") ?? ""),
    isRightToLeft: text.isRightToLeft,
    isClear: /^(?:both|left|right)$/.test(style.get("clear") ?? ""),
  };
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
  if (/^(?:absolute|fixed)$/.test(style.get("position") ?? "")) return "away";
  if (/^(?:left|right)$/.test(style.get("float") ?? "")) return "float";
  if (isInline(name, style)) return "line";
  const display = style.get("display") ?? (atoms.has(name) ? "inline-block" : "block");
  return display.startsWith("inline") ? "beside" : "block";
}

function isFull(flow: Flow | undefined): boolean {
  return flow !== undefined && (flow.down >= flow.height || flow.left >= flow.width);
}

/** Returns the flow for the content of a box. */
export function flowIn(
  outer: Flow | undefined,
  { cut, kind, isRightToLeft }: FlowBox,
): Flow | undefined {
  if (cut === undefined || (cut.width === Infinity && cut.height === Infinity))
    return kind === "away" ? undefined : outer;
  const height = kind !== "away" && isFull(outer) ? 0 : cut.height;
  const start = { down: 0, left: 0, across: 0, line: 0, floats: 0 };
  return { ...cut, ...start, height, isCounted: false, isRightToLeft };
}

function endLine(flow: Flow | undefined, least = 0): void {
  if (flow === undefined) return;
  flow.down += Math.max(flow.line, least);
  flow.line = 0;
  flow.across = 0;
}

export function breakLine(flow: Flow | undefined, text: FlowText): void {
  endLine(flow, lineOf(text));
}

/** Adds text and returns how many of its characters may be seen. */
export function addText(flow: Flow | undefined, text: string, look: FlowText): number {
  if (flow === undefined || !/^(?:pre|break)/.test(look.whiteSpace))
    return addLine(flow, text, look);
  let seen = 0;
  let begin = 0;
  while (begin < text.length) {
    const end = text.indexOf("\n", begin);
    const line = text.slice(begin, end === -1 ? text.length : end + 1);
    const part = addLine(flow, line, look);
    seen += part;
    if (part < line.length) break;
    if (end !== -1) breakLine(flow, look);
    begin += line.length;
  }
  return seen;
}

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;

function addLine(flow: Flow | undefined, text: string, look: FlowText): number {
  if (flow === undefined) return text.length;
  const letter = look.fontSize * narrow + Math.max(0, look.letterSpacing);
  const line = lineOf(look);
  if (isFull(flow)) return 0;
  flow.line = Math.max(flow.line, line);
  const isOneLine = look.whiteSpace === "nowrap" || look.whiteSpace === "pre";
  const width = isOneLine ? flow.width : Math.min(flow.width, widest);
  const perLine = Math.max(1, width / letter);
  // Text that wraps is visible if the height of its box is not limited.
  if (!isOneLine && flow.height === Infinity) return text.length;
  const lines = isOneLine ? 1 : Math.ceil((flow.height - flow.down) / line - cutShare);
  const room = Math.max(0, Math.ceil(perLine * lines - flow.across / letter));
  const length = text.replace(/\s+/g, " ").length * letter;
  const total = flow.across + length;
  // A text in the other direction is cut at its beginning.
  if (isOneLine && flow.isRightToLeft && total > flow.width && !rightToLeft.test(text)) return 0;
  if (isOneLine) flow.across = total;
  else {
    flow.down += Math.floor(total / width) * line;
    flow.across = total % width;
  }
  return Math.min(text.length, room);
}

/** Returns the share of a cell's free height that is above the text. */
function sinkOf(align: string): number {
  return align === "middle" ? 0.5 : align === "bottom" ? 1 : 0;
}

/** The least width for text beside a box. CSS pixels. */
const leastBeside = 20;

/** From this multiple of the clipping box's height on, a box is so high that its text is below the clip. */
const pushed = 2;

/** The flow around a box and the place of the box in it. */
export interface Begin {
  flow: Flow | undefined;
  box: FlowBox;
  /** The kind of its placement. An item of a row is always placed as a block. */
  kind: FlowBox["kind"];
  down: number;
  across: number;
  left: number;
  /** The lower end of its children that are side by side. */
  end: number;
  /** The used part of its row, and its number of children so far. */
  used: number;
  count: number;
  /** The box has an explicit place in a grid, so the next boxes do not follow it. */
  isMoved: boolean;
}

/**
 * Begins a child box at its place and returns the state before it.
 * @param outer the box around it
 * @param cell the facts of a table cell from its row and attributes
 */
export function beginBox(flow: Flow | undefined, box: FlowBox, outer?: Begin, cell?: Cell): Begin {
  const isItem = outer?.box.items !== undefined;
  const kind = isItem && box.kind !== "away" ? "block" : box.kind;
  const start = { down: 0, across: 0, left: 0, end: 0, used: 0, count: 0, isMoved: false };
  const begin: Begin = { flow, box, kind, ...start };
  if (flow === undefined || kind === "line" || kind === "away")
    return { ...begin, flow: undefined };
  if (kind === "block") endLine(flow);
  if (box.isClear) flow.down = Math.max(flow.down, flow.floats);
  begin.left = flow.left;
  const items = itemsFor(outer?.box, kind);
  if (outer !== undefined && items !== undefined) {
    const { isNewLine, left, top } = placeItem(outer, items, box, flow.width);
    const end = kind === "float" ? flow.floats : outer.end;
    if (isNewLine) flow.down = Math.max(flow.down, end) + items.gapDown;
    flow.left += left;
    begin.down = flow.down;
    if (top > 0) flow.down = Math.max(flow.down, outer.down + top);
    begin.isMoved = box.item.row > 0 || box.item.column > 0;
  }
  if (box.isNextColumn && flow.column > 0)
    flow.down = (Math.floor(flow.down / flow.column) + (flow.down > 0 ? 1 : 0)) * flow.column;
  if (!begin.isMoved) begin.down = flow.down;
  begin.across = flow.across;
  // A box with a negative margin may begin before the one that clips it.
  if (kind === "block") flow.down += box.above;
  if (cell === undefined) return begin;
  const push = (Math.max(box.height, cell.height) - box.line) * sinkOf(box.align ?? cell.align);
  if (push >= pushed * flow.height) flow.down += push;
  return begin;
}

/**
 * Ends a box. Only a box in the normal flow moves the content after it.
 * @param outer the box around it
 */
export function endBox(begin: Begin, outer: Begin | undefined): void {
  const { flow, box, kind, down, across, end } = begin;
  if (flow === undefined) return;
  endLine(flow);
  flow.left = begin.left;
  const items = outer?.box.items;
  const low = Math.max(flow.down, down + box.height, end) + box.below;
  const isInRow = items?.isRow === true;
  if (isInRow && outer !== undefined) outer.end = Math.max(outer.end, low);
  flow.down = kind === "block" && !isInRow && !begin.isMoved ? low + (items?.gapDown ?? 0) : down;
  if (kind === "beside") flow.line = Math.max(flow.line, low - down);
  if (kind === "beside" && !isInRow) flow.across = across + box.width;
  if (kind !== "float") return;
  flow.floats = Math.max(flow.floats, low);
  // Text does not fit beside a box that is as wide as the one around it.
  if (box.width > 0 && box.width >= flow.width - leastBeside) flow.down = Math.max(flow.down, low);
}
