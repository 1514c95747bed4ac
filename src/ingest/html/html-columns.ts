import type { DomNode } from "html-to-text";
import type { Look } from "./html-look.ts";
import { attribute, childrenOf } from "./html-page.ts";

/** The columns of a table that its `col` elements describe so far. */
export interface Columns {
  count: number;
  hidden: Set<number>;
}

/** The row of a table. */
interface Row {
  columns: Columns | undefined;
  /** The number of columns before the next cell. */
  cells: number;
}

/** Counts the columns of a table. Returns whether an element is a cell of a hidden one. */
export function isInHiddenColumn(
  element: DomNode,
  look: Pick<Look, "isVisible">,
  around: Row,
): boolean {
  const { name = "" } = element;
  const { columns } = around;
  if (columns === undefined) return false;
  const spanned = (by: string): number =>
    Math.min(1_000, Math.max(1, Number(attribute(element, by)) || 1));
  if (name === "col" || (name === "colgroup" && !hasColumns(element))) {
    const next = columns.count + spanned("span");
    for (; columns.count < next; columns.count += 1)
      if (!look.isVisible) columns.hidden.add(columns.count);
    return false;
  }
  if (name !== "td" && name !== "th") return false;
  const column = around.cells;
  around.cells += spanned("colspan");
  return columns.hidden.has(column);
}

function hasColumns(group: DomNode): boolean {
  return childrenOf(group).some(({ name }) => name === "col");
}
