import type { DomNode } from "html-to-text";
import type { Cell } from "./flow/flow.ts";
import type { Cascade } from "./html-cascade.ts";
import type { ComputedStyle } from "./html-computed-style.ts";
import { attribute, childrenOf } from "./html-page.ts";
import { lengthOf } from "../css/values.ts";

/** Limit on elements between a cell and its table. */
const mostBetween = 3;

/** Returns the nearest element of this name around a part of a table. */
function around(part: DomNode, name: string): DomNode | undefined {
  let at = part.parent;
  for (let depth = 0; at && at.name !== name && depth < mostBetween; depth += 1) at = at.parent;
  return at?.name === name ? at : undefined;
}

/** Returns the height that an attribute or a style attribute gives, in CSS pixels. 0 for none. */
function givenHeight(element: DomNode | undefined): number {
  if (element === undefined) return 0;
  const [, styled] =
    /(?:^|;)\s*height:\s*([\d.]+)px/i.exec(attribute(element, "style") ?? "") ?? [];
  return Number(styled ?? 0) || lengthOf(attribute(element, "height"), 16, NaN) || 0;
}

/** Returns the facts about a cell. Undefined for other elements. */
export function cellOf(element: DomNode, display: string): Cell | undefined {
  const { name } = element;
  if (name !== "td" && name !== "th")
    return display === "table-cell" ? { height: 0, align: "baseline" } : undefined;
  const row = around(element, "tr");
  const table = row && around(row, "table");
  const isOnly = table !== undefined && rowsOf(table) === 1;
  const section = row?.parent?.name === "table" ? undefined : row?.parent;
  const own = attribute(element, "valign");
  return {
    height: Math.max(givenHeight(row), isOnly ? givenHeight(table) : 0),
    align: (own ?? givenAlign(row) ?? givenAlign(section) ?? "middle").trim().toLowerCase(),
  };
}

function givenAlign(element: DomNode | null | undefined): string | undefined {
  if (element === undefined || element === null) return undefined;
  const style = attribute(element, "style") ?? "";
  const [, styled] = /(?:^|;)\s*vertical-align:\s*([a-z]+)/i.exec(style) ?? [];
  return styled ?? attribute(element, "valign");
}

/** Counts the rows of a table, up to two. */
function rowsOf(table: DomNode): number {
  let count = 0;
  for (const part of childrenOf(table))
    for (const row of part.name === "tr" ? [part] : childrenOf(part))
      if (row.name === "tr" && ++count === 2) return count;
  return count;
}

const footers = /^(?:tfoot|table-footer-group)$/;
const headers = /^(?:thead|table-header-group)$/;

/**
 * Returns the children of a table in the order in which they are drawn: the first header, the rows, the first footer
 * and the captions below.
 * @param kindOf the `display` of a child, or its name, and its `caption-side`
 */
function drawnOrder(
  children: readonly DomNode[],
  kindOf: (child: DomNode) => { display: string; side: string },
): DomNode[] {
  const kinds = new Map(
    children.filter(({ name }) => name !== undefined).map((child) => [child, kindOf(child)]),
  );
  const first = (pattern: RegExp): DomNode | undefined =>
    children.find((child) => pattern.test(kinds.get(child)?.display ?? ""));
  const [header, footer] = [first(headers), first(footers)];
  const rankOf = (child: DomNode): number => {
    const kind = kinds.get(child);
    if (kind?.display.endsWith("caption") === true) return kind?.side === "bottom" ? 4 : 0;
    return child === header ? 1 : child === footer ? 3 : 2;
  };
  return children
    .map((child, at) => ({ child, rank: rankOf(child), at }))
    .sort((one, other) => one.rank - other.rank || one.at - other.at)
    .map(({ child }) => child);
}

/** The columns of a table that its `col` elements describe so far. */
export interface Columns {
  count: number;
  hidden: Set<number>;
  /** Columns without a width, whose cells may cut their text. */
  flat?: Set<number>;
  /** The width of the table, if its columns have the widths of their style. CSS pixels. 0 for others. */
  width: number;
}

/** Returns the columns of a table before its first row. */
export function columnsOf(table: DomNode, { isTableFixed, box }: ComputedStyle): Columns {
  const given = box?.width === undefined || box.width === 0 ? attribute(table, "width") : undefined;
  const width = isTableFixed ? (given === undefined ? box?.width : lengthOf(given, 16, NaN)) : 0;
  return { count: 0, hidden: new Set(), width: width || 0 };
}

/** The row of a table. */
interface Row {
  columns: Columns | undefined;
  /** The number of columns before the next cell. */
  cells: number;
  /** The width of those columns. CSS pixels. */
  used: number;
}

/** Counts the columns of a table. Returns whether an element is a cell of a hidden one. */
export function isInHiddenColumn(element: DomNode, css: ComputedStyle, around: Row): boolean {
  const { name = "" } = element;
  const { columns } = around;
  if (columns === undefined) return false;
  const spanned = (by: string): number =>
    Math.min(1_000, Math.max(1, Number(attribute(element, by)) || 1));
  if (name === "col" || (name === "colgroup" && !hasColumns(element))) {
    const next = columns.count + spanned("span");
    const [, styled] =
      /(?:^|;)\s*width:\s*([\d.]+)(?:px)?\s*(?:;|$)/i.exec(attribute(element, "style") ?? "") ?? [];
    const isFlat = lengthOf(styled ?? attribute(element, "width")) <= 1;
    for (; columns.count < next; columns.count += 1) {
      if (!css.isVisible) columns.hidden.add(columns.count);
      if (isFlat) (columns.flat ??= new Set()).add(columns.count);
    }
    return false;
  }
  if (name !== "td" && name !== "th") return false;
  const column = around.cells;
  around.cells += spanned("colspan");
  const isFlat = columns.flat?.has(column) === true && css.isTableFixed && css.isInCut;
  const own = css.box?.width || lengthOf(attribute(element, "width"), 16, NaN) || 0;
  // True if the columns before it take the whole width of the table.
  const isLeftOut = columns.width > 0 && own === 0 && around.used >= columns.width;
  around.used += own;
  if (isLeftOut && css.isInCut && css.whiteSpace === "nowrap") return true;
  return isFlat || columns.hidden.has(column);
}

function hasColumns(group: DomNode): boolean {
  return childrenOf(group).some(({ name }) => name === "col");
}

/** Limit on children of a table whose order is judged. A longer table has only rows. */
const mostDrawn = 50;

/** Returns the children of a table as they are drawn. */
export function drawnRows(table: DomNode, cascade: Cascade | undefined): readonly DomNode[] {
  const children = childrenOf(table);
  if (children.length > mostDrawn) return children;
  const own = cascade?.declaredFor(table).get("caption-side");
  return drawnOrder(children, (child) => {
    const declared = cascade?.declaredFor(child);
    const side = declared?.get("caption-side") ?? own ?? attribute(child, "align") ?? "";
    return { display: declared?.get("display") ?? child.name ?? "", side: side.toLowerCase() };
  });
}
