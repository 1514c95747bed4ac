import type { DomNode } from "html-to-text";
import { isCutting, isInline, isTablePart } from "./html-box.ts";
import { attribute } from "./html-page.ts";
import { lengthOf } from "../css/values.ts";

/** How an element takes part in the flow of its parent. CSS pixels. */
export interface FlowBox {
  kind: "line" | "block" | "beside" | "float" | "away";
  /** The content beyond these sizes is cut. */
  cut: { width: number; height: number } | undefined;
  /** The width that the style gives in CSS pixels. 0 for none. */
  width: number;
  height: number;
  /** Margin and padding over the content, and under it. */
  above: number;
  below: number;
  /** The children are placed side by side. */
  isRow: boolean;
  /** Begins below floating boxes. */
  isClear: boolean;
  /** Lines that are too long are cut at their left side. */
  isRightToLeft: boolean;
}

/** The content so far in the nearest box that cuts its content: at least this much of it is full. CSS pixels. */
export interface Flow {
  width: number;
  height: number;
  down: number;
  /** The used part of the line. */
  across: number;
  /** The height of the line that has text. */
  line: number;
  /** The lower end of the floating boxes. */
  floats: number;
  /** Whether its passage beyond the box was counted. */
  isCounted: boolean;
  isRightToLeft: boolean;
}

/** A character of average text is at least this wide, in font sizes. */
const narrow = 0.2;
/** A line of which less is left is cut too far to be read. */
const cutShare = 0.35;
/** A box without a width cuts its line here at the latest. CSS pixels. */
const widestLine = 1_000;
/** No window is wider. CSS pixels. */
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
  return Number.isNaN(length) ? fontSize : Math.max(1, length);
}

export function flowBox(
  element: DomNode,
  style: ReadonlyMap<string, string>,
  text: FlowText,
): FlowBox {
  const { name = "" } = element;
  const em = text.fontSize;
  const display = style.get("display") ?? "";
  const isTable = isTablePart(name, style);
  const kind = kindOf(name, style);
  const lines = lengthOf(style.get("-webkit-line-clamp"));
  const limit = (side: "width" | "height"): number =>
    Math.min(
      ...[side, `max-${side}`]
        .map((property) => lengthOf(style.get(property), em, NaN))
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
  return {
    kind,
    cut: isCut ? { width: isOneLine ? Math.min(widestLine, width) : width, height } : undefined,
    width: (style.get("width") ?? "").endsWith("%")
      ? 0
      : lengthOf(style.get("width"), em, NaN) || 0,
    height: Math.max(0, ...heights.map((one) => lengthOf(one, em, NaN) || 0)),
    above: sum("margin-top", "padding-top", "border-top-width"),
    below: Math.max(0, sum("margin-bottom", "padding-bottom")),
    isRow: name === "tr" || /flex$|grid$|^table-row$/.test(display),
    isRightToLeft: text.isRightToLeft,
    isClear: /^(?:both|left|right)$/.test(style.get("clear") ?? ""),
  };
}

/** Elements that lie in a line of text. */
const atoms = new Set("img input button select textarea svg math object iframe".split(" "));

function kindOf(name: string, style: ReadonlyMap<string, string>): FlowBox["kind"] {
  if (/^(?:absolute|fixed)$/.test(style.get("position") ?? "")) return "away";
  if (/^(?:left|right)$/.test(style.get("float") ?? "")) return "float";
  if (isInline(name, style)) return "line";
  const display = style.get("display") ?? (atoms.has(name) ? "inline-block" : "block");
  return display.startsWith("inline") ? "beside" : "block";
}

function isFull(flow: Flow | undefined): boolean {
  return flow !== undefined && flow.down >= flow.height;
}

/** Returns the flow for the content of a box. */
export function flowIn(
  outer: Flow | undefined,
  { cut, kind, isRightToLeft }: FlowBox,
): Flow | undefined {
  if (cut === undefined || (cut.width === Infinity && cut.height === Infinity))
    return kind === "away" ? undefined : outer;
  return { ...cut, down: 0, across: 0, line: 0, floats: 0, isCounted: false, isRightToLeft };
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
  // Text that wraps is seen if its box has no limit of height.
  if (!isOneLine && flow.height === Infinity) return text.length;
  const lines = isOneLine ? 1 : Math.ceil((flow.height - flow.down) / line - cutShare);
  const room = Math.max(0, Math.ceil(perLine * lines - flow.across / letter));
  const length = text.replace(/\s+/g, " ").length * letter;
  const total = flow.across + length;
  // A text of the other direction is cut at its beginning.
  if (isOneLine && flow.isRightToLeft && total > flow.width && !rightToLeft.test(text)) return 0;
  if (isOneLine) flow.across = total;
  else {
    flow.down += Math.floor(total / width) * line;
    flow.across = total % width;
  }
  return Math.min(text.length, room);
}

/** Text of this width fits beside a box. CSS pixels. */
const leastBeside = 20;

/** The flow around a box and the place of the box in it. */
export interface Begin {
  flow: Flow | undefined;
  box: FlowBox;
  down: number;
  across: number;
  /** The lower end of its children that lie side by side. */
  end: number;
}

/** Begins a child box at its place and returns the state before it. */
export function beginBox(flow: Flow | undefined, box: FlowBox): Begin {
  if (flow === undefined || box.kind === "line" || box.kind === "away")
    return { flow: undefined, box, down: 0, across: 0, end: 0 };
  if (box.kind === "block") endLine(flow);
  if (box.isClear) flow.down = Math.max(flow.down, flow.floats);
  const begin = { flow, box, down: flow.down, across: flow.across, end: 0 };
  // A box pulled upwards may begin before the one that cuts it.
  if (box.kind === "block") flow.down += box.above;
  return begin;
}

/**
 * Ends a box. Only a box in the normal flow moves what follows.
 * @param outer the box around it
 */
export function endBox({ flow, box, down, across, end }: Begin, outer: Begin | undefined): void {
  if (flow === undefined) return;
  endLine(flow);
  const low = Math.max(flow.down, down + box.height, end) + box.below;
  const isInRow = outer?.box.isRow === true;
  if (isInRow) outer.end = Math.max(outer.end, low);
  flow.down = box.kind === "block" && !isInRow ? low : down;
  if (box.kind === "beside") flow.line = Math.max(flow.line, low - down);
  if (box.kind === "beside" && !isInRow) flow.across = across + box.width;
  if (box.kind !== "float") return;
  flow.floats = Math.max(flow.floats, low);
  // Text does not fit beside a box that is as wide as the one around it.
  if (box.width > 0 && box.width >= flow.width - leastBeside) flow.down = Math.max(flow.down, low);
}
