import type { DomNode } from "html-to-text";
import {
  type Clip,
  cutShare,
  endItem,
  endWhole,
  type Extent,
  type Frame,
  narrow,
  openCentred,
  openClip,
  record,
  seenParts,
} from "./centred.ts";
import { type Centring, isCentring } from "./centring.ts";
import { type FlowBox, type FlowText, lineOf, widest } from "./flow-box.ts";
import { itemsFor, placeItem } from "./items.ts";

/** The least space that the content has filled so far, in the nearest box that clips its content. CSS pixels. */
export interface Flow extends Clip {
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

function isFull(flow: Flow | undefined): boolean {
  // The content of a centred box has its place when the box ends.
  if (flow === undefined || flow.centred > 0) return false;
  return flow.down >= flow.height || flow.left >= flow.width;
}

/** Returns the flow for the content of a box that has begun. */
export function flowIn(outer: Flow | undefined, begin: Begin): Flow | undefined {
  const { cut, kind, isRightToLeft } = begin.box;
  const isCut = cut !== undefined && (cut.width !== Infinity || cut.height !== Infinity);
  const around = kind === "placed" ? undefined : outer;
  const flow = isCut ? cutFlow(cut, around, isRightToLeft) : around;
  begin.inner = flow;
  const { centring } = begin.box;
  if (flow !== undefined && centring !== undefined && kind !== "line" && isCentring(centring))
    begin.whole = { how: centring, box: openCentred(flow, { top: flow.down, left: flow.left }) };
  return flow;
}

function cutFlow(
  cut: NonNullable<FlowBox["cut"]>,
  outer: Flow | undefined,
  isRightToLeft: boolean,
): Flow {
  const height = isFull(outer) ? 0 : cut.height;
  const start = { down: 0, left: 0, across: 0, line: 0, floats: 0 };
  const place = { down: outer?.down ?? 0, right: (outer?.left ?? 0) + (outer?.across ?? 0) };
  const frame = openClip(outer, place, { width: cut.width, height });
  return { ...cut, ...start, height, isCounted: false, isRightToLeft, frame, centred: 0 };
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
export function addText(flow: Flow | undefined, node: DomNode, css: FlowText): number {
  const { data: text = "" } = node;
  if (flow === undefined || !/^(?:pre|break)/.test(css.whiteSpace))
    return addLine(flow, { node, text, begin: 0 }, css);
  let seen = 0;
  let begin = 0;
  while (begin < text.length) {
    const end = text.indexOf("\n", begin);
    const line = text.slice(begin, end === -1 ? text.length : end + 1);
    const part = addLine(flow, { node, text: line, begin }, css);
    seen += part;
    if (part < line.length) break;
    if (end !== -1) breakLine(flow, css);
    begin += line.length;
  }
  return seen;
}

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;

function addLine(
  flow: Flow | undefined,
  { node, text, begin }: { node: DomNode; text: string; begin: number },
  css: FlowText,
): number {
  if (flow === undefined) return text.length;
  const letter = css.fontSize * narrow + Math.max(0, css.letterSpacing);
  const line = lineOf(css);
  if (isFull(flow)) return 0;
  flow.line = Math.max(flow.line, line);
  const isOneLine = css.whiteSpace === "nowrap" || css.whiteSpace === "pre";
  const width = isOneLine ? flow.width : Math.min(flow.width, widest);
  const perLine = Math.max(1, width / letter);
  // Text that wraps is visible if the height of its box is not limited.
  if (!isOneLine && flow.height === Infinity && flow.frame === undefined) return text.length;
  const lines = isOneLine ? 1 : Math.ceil((flow.height - flow.down) / line - cutShare);
  const room = Math.max(0, Math.ceil(perLine * lines - flow.across / letter));
  const length = text.replace(/\s+/g, " ").length * letter;
  const total = flow.across + length;
  // A text in the other direction is cut at its beginning.
  if (isOneLine && flow.isRightToLeft && total > flow.width && !rightToLeft.test(text)) return 0;
  const seen = flow.centred === 0 ? Math.min(text.length, room) : text.length;
  if (flow.frame !== undefined)
    record(flow, {
      node,
      begin,
      end: begin + seen,
      top: flow.down,
      left: flow.left + (isOneLine ? flow.across : 0),
      line,
      lines: isOneLine ? 1 : Math.floor(total / width) + 1,
      perLine: Math.floor(perLine),
      width: isOneLine ? length : 0,
      letter,
    });
  if (isOneLine) flow.across = total;
  else {
    flow.down += Math.floor(total / width) * line;
    flow.across = total % width;
  }
  return seen;
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
  /** The flow of its content. */
  inner: Flow | undefined;
  /** How it centres its content, and how it is centred itself. */
  whole: { how: Centring; box: Frame } | undefined;
  item: { how: Centring; box: Frame; outer: Frame | undefined } | undefined;
}

/**
 * Begins a child box at its place and returns the state before it.
 * @param outer the box around it
 * @param cell the facts of a table cell from its row and attributes
 */
export function beginBox(flow: Flow | undefined, box: FlowBox, outer?: Begin, cell?: Cell): Begin {
  const isItem = outer?.box.items !== undefined;
  const kind = isItem && box.kind !== "placed" ? "block" : box.kind;
  const start = { down: 0, across: 0, left: 0, end: 0, used: 0, count: 0, isMoved: false };
  const centred = { inner: undefined, whole: undefined, item: undefined };
  const begin: Begin = { flow, box, kind, ...start, ...centred };
  if (flow === undefined || kind === "line" || kind === "placed")
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
  const how = outer?.box.centring;
  const around = outer?.inner === flow ? outer.whole?.box : undefined;
  if (how !== undefined && (around !== undefined || box.isCentred === true))
    begin.item = {
      how,
      box: openCentred(flow, { top: flow.down, left: flow.left }),
      outer: around,
    };
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
 * @returns the visible characters of texts that had no place before
 */
export function endBox(begin: Begin, outer: Begin | undefined): Map<DomNode, Extent> | undefined {
  const within = endWithin(begin);
  const around = endAround(begin, outer);
  return within ?? around;
}

/** Ends the content of a box. Returns the visible characters of its texts if it was the outermost centred one. */
function endWithin({ inner, whole, end }: Begin): Map<DomNode, Extent> | undefined {
  if (inner === undefined || whole === undefined) return undefined;
  endLine(inner);
  const { box, how } = whole;
  endWhole(inner, box, how, Math.max(inner.down, end));
  // The content does not change the size of the box.
  if (how.height < Infinity) inner.down = Math.min(inner.down, box.top + how.height);
  return seenParts(inner, box);
}

function endAround(begin: Begin, outer: Begin | undefined): Map<DomNode, Extent> | undefined {
  const { flow, box, kind, down, across, end, item } = begin;
  if (flow === undefined) return undefined;
  endLine(flow);
  if (item !== undefined)
    endItem(flow, item.box, item, Math.max(flow.down, down + box.height, end), box);
  flow.left = begin.left;
  const items = outer?.box.items;
  const low = Math.max(flow.down, down + box.height, end) + box.below;
  const isInRow = items?.isRow === true;
  if (isInRow && outer !== undefined) outer.end = Math.max(outer.end, low);
  flow.down = kind === "block" && !isInRow && !begin.isMoved ? low + (items?.gapDown ?? 0) : down;
  if (kind === "beside") flow.line = Math.max(flow.line, low - down);
  if (kind === "beside" && !isInRow) flow.across = across + box.width;
  // Text does not fit beside a box that is as wide as the one around it.
  const isWide = box.width > 0 && box.width >= flow.width - leastBeside;
  if (kind === "float") flow.floats = Math.max(flow.floats, low);
  if (kind === "float" && isWide) flow.down = Math.max(flow.down, low);
  return item && seenParts(flow, item.box);
}
