import type { DomNode } from "html-to-text";
import type { Look } from "./html-look.ts";
import { lengthOf } from "../css/values.ts";
import { attribute, childrenOf } from "./html-page.ts";

/** The columns of a table that its `col` elements describe so far. */
export interface Columns {
  count: number;
  hidden: Set<number>;
  /** Columns without a width, whose cells may cut their text. */
  flat?: Set<number>;
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
  look: Pick<Look, "isVisible" | "isInCut" | "isTableFixed">,
  around: Row,
): boolean {
  const { name = "" } = element;
  const { columns } = around;
  if (columns === undefined) return false;
  const spanned = (by: string): number =>
    Math.min(1_000, Math.max(1, Number(attribute(element, by)) || 1));
  if (name === "col" || (name === "colgroup" && !hasColumns(element))) {
    const next = columns.count + spanned("span");
    const isFlat = lengthOf(attribute(element, "width")) <= 1;
    for (; columns.count < next; columns.count += 1) {
      if (!look.isVisible) columns.hidden.add(columns.count);
      if (isFlat) (columns.flat ??= new Set()).add(columns.count);
    }
    return false;
  }
  if (name !== "td" && name !== "th") return false;
  const column = around.cells;
  around.cells += spanned("colspan");
  const isFlat = columns.flat?.has(column) === true && look.isTableFixed && look.isInCut;
  return isFlat || columns.hidden.has(column);
}

function hasColumns(group: DomNode): boolean {
  return childrenOf(group).some(({ name }) => name === "col");
}
