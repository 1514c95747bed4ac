import type { DomNode } from "html-to-text";
import { lengthOf, partsOf } from "../../css/values.ts";
import { attribute } from "../html-page.ts";

/** How a row, a grid or a flexible box places its children. CSS pixels. */
export interface Items {
  /** The children are side by side, and not below each other. */
  isRow: boolean;
  /** A row that is full continues below. */
  wraps: boolean;
  gapDown: number;
  gapAcross: number;
  /** The widths of a grid's columns. 0 for a share of the remaining width. Empty for other boxes. */
  columns: readonly number[];
  /** The heights of a grid's rows and of the rows after them. 0 for the height of the content. */
  rows: readonly number[];
  nextRow: number;
  nextColumn: number;
}

/** The widths of a child in a row: in CSS pixels and as a share of the row. */
export interface Item {
  /** The preferred width. */
  wanted: Width;
  /** The part of it that does not shrink. */
  rigid: Width;
  /** The number of its row and column in a grid. 0 if the browser chooses them. */
  row: number;
  column: number;
}

interface Width {
  pixels: number;
  share: number;
}

type Style = ReadonlyMap<string, string>;

const mostColumns = 50;

/** Returns how a box places its children. Undefined for the normal flow. */
export function itemsOf(name: string, style: Style, em: number): Items | undefined {
  const display = style.get("display") ?? (name === "tr" ? "table-row" : "");
  const isRow = display === "table-row";
  const isFlex = /(?:flex|-webkit-(?:inline-)?box)$/.test(display) && !isClamped(style);
  const isGrid = display.endsWith("grid");
  if (!isRow && !isFlex && !isGrid) return undefined;
  const gap = (side: string): number =>
    isRow ? 0 : Math.max(0, lengthOf(style.get(side), em, 0) || 0);
  const columns = isGrid ? columnsOf(style.get("grid-template-columns") ?? "", em) : [];
  const isDown = isGrid
    ? columns.length < 2 && !/column/.test(style.get("grid-auto-flow") ?? "")
    : (style.get("flex-direction") ?? "").startsWith("column");
  return {
    isRow: !isDown,
    wraps: isGrid ? columns.length > 0 : (style.get("flex-wrap") ?? "").startsWith("wrap"),
    gapDown: gap("row-gap"),
    gapAcross: gap("column-gap"),
    columns,
    rows: isGrid ? columnsOf(style.get("grid-template-rows") ?? "", em) : [],
    nextRow: isGrid ? (columnsOf(style.get("grid-auto-rows") ?? "", em)[0] ?? 0) : 0,
    nextColumn: isGrid ? (columnsOf(style.get("grid-auto-columns") ?? "", em)[0] ?? 0) : 0,
  };
}

/** Returns whether a box limits its number of lines (`line-clamp`). Its content is treated as in the normal flow. */
function isClamped(style: Style): boolean {
  return style.has("-webkit-line-clamp");
}

function columnsOf(tracks: string, em: number): number[] {
  const plain = tracks
    .slice(0, 500)
    .replace(/\[[^\]]*\]/g, " ")
    .replace(/repeat\(\s*(\d+)\s*,([^()]*)\)/g, (_, times: string, one: string) =>
      `${one} `.repeat(Math.min(mostColumns, Number(times))),
    );
  const given = partsOf(plain).slice(0, mostColumns);
  // The number of such columns depends on the window.
  if (given.some((track) => /auto-fi|none|subgrid|masonry/.test(track))) return [];
  return given.map((track) => Math.max(0, lengthOf(track, em, 0) || 0));
}

export function itemOf(style: Style, em: number): Item {
  const of = (property: string): Width => {
    const value = style.get(property) ?? "";
    const share = value.endsWith("%") ? Number(value.slice(0, -1)) / 100 : 0;
    const pixels = share > 0 ? 0 : lengthOf(value, em, NaN);
    return { pixels: Math.max(0, pixels || 0), share: share || 0 };
  };
  const basis = of("flex-basis");
  const hasBasis = basis.pixels > 0 || basis.share > 0;
  const own = hasBasis ? basis : of("width");
  const least = of("min-width");
  const wanted = {
    pixels: Math.max(own.pixels, least.pixels),
    share: Math.max(own.share, least.share),
  };
  const [areaRow, areaColumn] = (style.get("grid-area") ?? "").split("/");
  return {
    wanted,
    rigid: Number(style.get("flex-shrink") ?? 1) === 0 ? wanted : least,
    row: startOf(style.get("grid-row-start") ?? style.get("grid-row") ?? areaRow),
    column: startOf(style.get("grid-column-start") ?? style.get("grid-column") ?? areaColumn),
  };
}

/** Returns the number of the row or column in which an item begins. */
function startOf(value = ""): number {
  const [, number] = /^\s*(\d{1,3})\s*(?:\/|$)/.exec(value) ?? [];
  return Number(number ?? 0);
}

/** Returns the sizes of the rows or columns before one, with the gaps between them. */
function before(count: number, sizes: readonly number[], next: number, gap: number): number {
  let sum = 0;
  for (let at = 0; at < count; at += 1) sum += (sizes[at] ?? next) + gap;
  return sum;
}

/** Floating boxes form a row that wraps, if the box around them has a width. */
const floating: Items = {
  isRow: true,
  wraps: true,
  gapDown: 0,
  gapAcross: 0,
  columns: [],
  rows: [],
  nextRow: 0,
  nextColumn: 0,
};

/** Returns how a box places a child. Undefined for the normal flow. */
export function itemsFor(
  outer: { items: Items | undefined; width: number } | undefined,
  kind: string,
): Items | undefined {
  const isInWidth = kind === "float" && outer !== undefined && outer.width > 0;
  return outer?.items ?? (isInWidth ? floating : undefined);
}

/** Returns the widths of a cell. They are rigid if those of the table are given. */
export function cellItem(cell: DomNode, item: Item, width: string | undefined, em: number): Item {
  let table: DomNode | null | undefined = cell.parent;
  for (let depth = 0; table && table.name !== "table" && depth < 3; depth += 1)
    table = table.parent;
  if (!table || table.name !== "table") return item;
  const given = lengthOf(attribute(table, "width"), em, NaN);
  const styled = /(?:^|;)\s*width:\s*([\d.]+)px/i.exec(attribute(table, "style") ?? "")?.[1];
  const whole = Math.max(given || 0, Number(styled ?? 0));
  const own = width ?? attribute(cell, "width") ?? "";
  const pixels = own.endsWith("%") ? (whole * parseFloat(own)) / 100 : lengthOf(own, em, NaN);
  if (!(whole > 0) || !(pixels > 0)) return item;
  const rigid = { pixels, share: 0 };
  return { ...item, wanted: rigid, rigid };
}

/** The state of a row. */
interface Row {
  box: { width: number };
  used: number;
  count: number;
}

/**
 * Places the next child of a box.
 * @param cut the width of the box that cuts the content
 * @returns whether it begins a new line, its distance from the beginning of the line, and its least distance from the
 * upper end of the row
 */
export function placeItem(
  row: Row,
  { isRow, wraps, gapAcross, gapDown, columns, rows, nextRow, nextColumn }: Items,
  { item }: { item: Item },
  cut: number,
): { isNewLine: boolean; left: number; top: number } {
  const perRow = Math.max(1, columns.length);
  const number = item.row > 0 ? item.row - 1 : Math.floor(row.count / perRow);
  const top = before(Math.min(number, mostColumns), rows, nextRow, item.row > 0 ? gapDown : 0);
  const place = before(Math.max(0, item.column - 1), columns, nextColumn, gapAcross);
  if (!isRow) {
    row.count += 1;
    return { isNewLine: false, left: place, top };
  }
  if (item.column > 0) return { isNewLine: false, left: place, top };
  const whole = row.box.width > 0 ? row.box.width : cut;
  const sizeOf = ({ pixels, share }: Width): number =>
    Math.max(pixels, share === 0 ? 0 : share * whole);
  const { length } = columns;
  const wanted = sizeOf(item.wanted);
  const isNewLine =
    row.count > 0 && (length > 0 ? row.count % length === 0 : wraps && row.used + wanted > whole);
  if (isNewLine) row.used = 0;
  const left = row.used;
  // Boxes keep their width if they fit before the clip. A box of unknown width has some width.
  const keeps = row.box.width > cut && row.used + wanted < row.box.width;
  const own = wraps ? Math.max(1, wanted) : keeps ? wanted : sizeOf(item.rigid);
  const size = length > 0 ? (columns[row.count % length] ?? 0) : own;
  row.used += size + gapAcross;
  row.count += 1;
  return { isNewLine, left, top };
}
