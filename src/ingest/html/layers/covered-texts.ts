import type { DomNode } from "html-to-text";
import type { Spot } from "./spot.ts";

/** A line of text at its estimated place. CSS pixels. */
export interface PlacedLine {
  node: DomNode;
  spot: Spot;
  order: number;
  top: number;
  bottom: number;
  width: number;
  /** The total width of narrow boxes over it. */
  bits: number;
}

/** Limit on compared boxes and pairs. Real pages have ten such boxes. */
const most = { boxes: 300, pairs: 400_000, share: 0.7 };
/** A covering box may leave this share of a line uncovered at its upper and lower edge. */
const slack = 0.4;
/** A box that begins farther to the right does not cover the beginning of a text. CSS pixels. */
const farRight = 60;

/**
 * Finds the texts under each box. The key undefined has the texts beyond the edge of the page.
 * @param isPulled whether a negative margin or an overflowing box may have moved boxes over others
 */
export function coveredTexts(
  lines: readonly PlacedLine[],
  covers: readonly Spot[],
  isPulled: boolean,
): { found: Map<Spot | undefined, DomNode[]>; isInFull: boolean } {
  let pairs = most.pairs;
  const found = new Map<Spot | undefined, DomNode[]>();
  const add = (cover: Spot | undefined, { node }: PlacedLine): void => {
    const nodes = found.get(cover);
    if (nodes === undefined) found.set(cover, [node]);
    else nodes.push(node);
  };
  const left = new Set<PlacedLine>();
  for (const line of lines)
    if (line.bottom - upOf(line.spot) <= 2) add(undefined, line);
    else left.add(line);
  for (const cover of covers.slice(0, most.boxes)) {
    const area = areaUnder(cover, isPulled);
    if (area === undefined) continue;
    for (const line of left) {
      if ((pairs -= 1) < 0) return { found, isInFull: false };
      if (line.order >= cover.order && line.order <= cover.last) continue;
      const rest = (line.bottom - line.top) * slack;
      const isUnder =
        area.isSameCell === true ||
        (area.top <= line.top + rest && area.bottom >= line.bottom - rest);
      if (!isUnder || !isOver(cover, line, area)) continue;
      const isWide = area.width >= line.width * most.share && cover.box.right <= farRight;
      line.bits += area.width;
      if (!isWide && line.bits < line.width * most.share) continue;
      add(cover, line);
      left.delete(line);
    }
  }
  return { found, isInFull: covers.length <= most.boxes };
}

function upOf(spot: Spot): number {
  const path: Spot[] = [];
  let at: Spot | undefined = spot;
  for (; at !== undefined && at.ups === undefined; at = at.outer) path.push(at);
  let sum = at?.ups ?? 0;
  for (const one of path.toReversed()) one.ups = sum += one.up;
  return sum;
}

interface Area {
  top: number;
  bottom: number;
  width: number;
  /** The box is in a cell of a grid that other boxes may share. */
  isSameCell: boolean;
}

/** Returns the area that a box paints. Undefined if the box is beside the content before it. */
function areaUnder(cover: Spot, isPulled: boolean): Area | undefined {
  const { box, outer } = cover;
  const isSameCell = box.area !== undefined && outer?.box.isGrid === true;
  if (!isSameCell && box.kind !== "placed" && cover.shift === 0 && !isPulled && box.edge === 0) {
    if (box.right + box.marginLeft > -farRight) return undefined;
  }
  let container = outer;
  while (container !== undefined && !container.box.isPlaced) container = container.outer;
  const end = container === undefined || box.isFixed ? Infinity : container.bottom;
  let { top, bottom } = cover;
  if (box.height === Infinity) bottom = end;
  if (!Number.isNaN(box.bottom) && !box.hasTop) {
    top = end - box.bottom - (bottom - cover.top);
    bottom = end - box.bottom;
  }
  const isFull = box.kind === "block" && Number.isNaN(box.width);
  const width = isFull ? Infinity : Number.isNaN(box.width) ? cover.content : box.width;
  return { top: top - box.edge, bottom: bottom + box.edge, width: width + box.edge, isSameCell };
}

/** Returns whether a box is painted over a text, and wide enough for it. */
function isOver(cover: Spot, line: PlacedLine, area: Area): boolean {
  const { box } = cover;
  const common = commonOf(cover, line.spot);
  const [over, under] = [pathTo(cover, common), pathTo(line.spot, common)];
  if (area.isSameCell) {
    const cell = under.at(-1);
    return (
      cell !== undefined &&
      common === cover.outer &&
      cell.box.area === box.area &&
      (cell.box.index === box.index ? cell.order < cover.order : cell.box.index < box.index)
    );
  }
  const isBeside = ({ box: { kind }, outer }: Spot): boolean =>
    kind === "beside" || kind === "float" || (outer?.box.isRow === true && kind !== "placed");
  // True for boxes side by side, if the second is not moved over the first.
  const isMovedLeft = box.right + box.marginLeft <= -most.share * line.width;
  const isAcross = box.kind === "placed" && area.width === Infinity;
  if (!isAcross && !isMovedLeft && (under.some(isBeside) || over.some(isBeside)))
    return box.kind === "float" && box.marginBottom < 0 && !under.some(isBeside);
  if (box.kind === "line" && !isMovedLeft) return false;
  const raisedUnder = under.findLast((one) => one.box.isRaised);
  const raisedOver = over.findLast((one) => one.box.isRaised || isBeside(one));
  if (raisedOver === undefined) return false;
  if (raisedUnder === undefined)
    return raisedOver.box.layer >= 0 && (raisedOver.box.isRaised || cover.order > line.order);
  if (raisedOver.box.layer !== raisedUnder.box.layer)
    return raisedOver.box.layer > raisedUnder.box.layer;
  return raisedOver.order > raisedUnder.order;
}

/** Returns the nearest element around both. */
function commonOf(one: Spot, other: Spot): Spot | undefined {
  let [a, b]: (Spot | undefined)[] = [one, other];
  while (a !== b) {
    if (b === undefined || (a !== undefined && a.depth >= b.depth)) a = a?.outer;
    else b = b.outer;
  }
  return a;
}

/** Returns the elements from one up to another, which is left out. */
function pathTo(from: Spot, end: Spot | undefined): Spot[] {
  const path: Spot[] = [];
  for (let one: Spot | undefined = from; one !== undefined && one !== end; one = one.outer)
    path.push(one);
  return path;
}
