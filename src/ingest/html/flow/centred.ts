import type { DomNode } from "html-to-text";
import type { Centring, Sides } from "./centring.ts";
import type { FlowBox } from "./flow-box.ts";

/** A text in a centred box, at its estimated place in the box that clips it. CSS pixels. */
interface Part {
  node: DomNode;
  /** The range of characters of its text node. */
  begin: number;
  end: number;
  top: number;
  left: number;
  line: number;
  lines: number;
  perLine: number;
  /** The width of a text in one line. 0 for a text that wraps. */
  width: number;
  /** The least width of a character. */
  letter: number;
}

/** A box around texts, of which the place is known when it ends. */
export interface Frame {
  parent: Frame | undefined;
  texts: Texts;
  /** The offset of its coordinates in those of the parent. Only boxes that clip have coordinates of their own. */
  down: number;
  right: number;
  /** The size of a box that clips. */
  clip: { width: number; height: number } | undefined;
  /** The place of the content, and how far it is moved in the end. */
  top: number;
  left: number;
  move: Move;
  /** How far texts are moved that are in no item. */
  moveBare: Move;
  /** The width of its own texts. */
  text: number;
  /** The width of its items so far, and whether some of it does not depend on their texts. */
  used: number;
  isRigid: boolean;
}

interface Move {
  down: number;
  right: number;
  /** The width of a text does not determine the move. */
  isRigid: boolean;
}

/** The texts in the outermost centred box, and all boxes in it, each after its parent. */
interface Texts {
  parts: { part: Part; frame: Frame }[];
  frames: Frame[];
}

/** The box that clips the content, as far as the texts in it are concerned. */
export interface Clip {
  width: number;
  height: number;
  /** The innermost box whose texts are recorded. Undefined if none is open. */
  frame: Frame | undefined;
  /** The number of open centred boxes in this clip. */
  centred: number;
}

/** The least width of an average character, and a great one. In font sizes. */
export const narrow = 0.2;
const wide = 0.6;
/** A line of which a smaller share is visible cannot be read. */
export const cutShare = 0.35;

const still: Move = { down: 0, right: 0, isRigid: false };

function frameIn(
  parent: Frame | undefined,
  place: Pick<Frame, "down" | "right" | "clip" | "top" | "left">,
): Frame {
  const texts = parent?.texts ?? { parts: [], frames: [] };
  const start = { move: still, moveBare: still, text: 0, used: 0, isRigid: false };
  const frame = { parent, texts, ...place, ...start };
  texts.frames.push(frame);
  return frame;
}

/** Begins a box whose texts may be moved when it ends. */
export function openCentred(clip: Clip, { top, left }: { top: number; left: number }): Frame {
  const frame = frameIn(clip.frame, { down: 0, right: 0, clip: undefined, top, left });
  clip.frame = frame;
  clip.centred += 1;
  return frame;
}

/** Begins a box that clips its content within one whose texts are recorded. */
export function openClip(
  outer: Clip | undefined,
  place: { down: number; right: number },
  clip: { width: number; height: number },
): Frame | undefined {
  if (outer?.frame === undefined) return undefined;
  return frameIn(outer.frame, { ...place, clip, top: 0, left: 0 });
}

/** Records a text for the centred boxes around it. */
export function record({ frame }: Clip, part: Part): void {
  if (frame === undefined) return;
  frame.texts.parts.push({ part, frame });
  frame.text = Math.max(frame.text, part.left - frame.left + part.width);
}

function close(clip: Clip, { parent }: Frame): void {
  clip.frame = parent;
  clip.centred -= 1;
}

/**
 * Ends an item of a box, and moves it to its place in the row or column.
 * @param end the lower end of its content
 */
export function endItem(
  clip: Clip,
  item: Frame,
  { outer, how }: { outer: Frame | undefined; how: Centring },
  end: number,
  { isCentred, width: given, item: { rigid } }: FlowBox,
): void {
  close(clip, item);
  // In a row, boxes shrink to its width, unless their style forbids it.
  const width = how.whole.across ? rigid.pixels : given;
  const sides = isCentred === undefined ? how.items : { ...how.items, [how.self]: isCentred };
  const content = { height: end - item.top, text: item.text, rigid: width };
  item.move = moveOf(sides, how, content);
  if (outer === undefined) return;
  if (how.whole.across)
    item.move = { ...item.move, right: item.move.right + outer.left + outer.used - item.left };
  outer.used += Math.max(item.text, width);
  outer.isRigid ||= width > item.text;
}

/** Ends a box whose content is centred. */
export function endWhole(clip: Clip, box: Frame, how: Centring, end: number): void {
  close(clip, box);
  const height = end - box.top;
  const width = Math.max(box.used, box.text);
  const [text, rigid] = box.isRigid ? [0, width] : [width, 0];
  box.move = moveOf(how.whole, how, { height, text, rigid });
  box.moveBare = moveOf(how.items, how, { height, text: box.text, rigid: 0 });
  const { parent } = box;
  if (parent !== undefined) parent.text = Math.max(parent.text, box.left - parent.left + width);
}

function moveOf(
  sides: Sides,
  room: { width: number; height: number },
  { height, text, rigid }: { height: number; text: number; rigid: number },
): Move {
  const half = (size: number, whole: number): number => Math.min(0, (whole - size) / 2);
  return {
    down: sides.down ? half(height, room.height) : 0,
    right: sides.across ? half(Math.max(text, rigid), room.width) : 0,
    isRigid: sides.across && rigid > text,
  };
}

/** The characters of a text that are visible: from the first up to before the last. */
export interface Extent {
  from: number;
  to: number;
}

export function isCut({ data = "" }: DomNode, { from, to }: Extent): boolean {
  return from > 0 || to < data.length;
}

/** Returns whether there are letters or digits outside the visible part of a text. */
export function hasLostWords({ data = "" }: DomNode, { from, to }: Extent): boolean {
  return /[\p{L}\p{N}]/u.test(data.slice(0, from) + data.slice(to));
}

/** The visible area for the texts of a box, in its own coordinates. */
interface View {
  top: number;
  bottom: number;
  left: number;
  right: number;
  isRigid: boolean;
}

/**
 * Returns the visible characters of the recorded texts, after the outermost centred box has ended. Undefined if another
 * is still open.
 */
export function seenParts(clip: Clip, { parent, texts }: Frame): Map<DomNode, Extent> | undefined {
  if (parent !== undefined) return undefined;
  const views = new Map<Frame | undefined, View>();
  views.set(undefined, { top: 0, bottom: clip.height, left: 0, right: clip.width, isRigid: false });
  for (const frame of texts.frames) {
    const outer = views.get(frame.parent);
    if (outer !== undefined) views.set(frame, viewIn(outer, frame));
  }
  const found = new Map<DomNode, Extent>();
  for (const { part, frame } of texts.parts) {
    const view = views.get(frame);
    if (view === undefined) continue;
    const { from, to } = extentOf(part, moved(view, frame.moveBare));
    const known = found.get(part.node);
    const isNew = known === undefined || known.from >= known.to;
    if (isNew) found.set(part.node, { from, to });
    else if (from < to)
      found.set(part.node, { from: Math.min(known.from, from), to: Math.max(known.to, to) });
  }
  return found;
}

function moved(view: View, { down, right, isRigid }: Move): View {
  return {
    top: view.top - down,
    bottom: view.bottom - down,
    left: view.left - right,
    right: view.right - right,
    isRigid: view.isRigid || isRigid,
  };
}

function viewIn(outer: View, { down, right, move, clip }: Frame): View {
  const own = { down: down + move.down, right: right + move.right, isRigid: move.isRigid };
  const view = moved(outer, own);
  if (clip === undefined) return view;
  return {
    ...view,
    top: Math.max(0, view.top),
    bottom: Math.min(clip.height, view.bottom),
    left: Math.max(0, view.left),
    right: Math.min(clip.width, view.right),
  };
}

function extentOf(part: Part, { isRigid, ...view }: View): Extent {
  const { begin, end, line, lines, perLine, letter } = part;
  const none = { from: 0, to: 0 };
  const firstLine = Math.max(0, Math.ceil((view.top - part.top) / line - 1 + cutShare));
  const lastLine = Math.floor((view.bottom - part.top) / line - cutShare);
  if (firstLine >= lines || lastLine < 0 || lastLine < firstLine) return none;
  const step = isRigid ? letter * (wide / narrow) : letter;
  const hidden = Math.max(0, view.left - part.left) / step;
  // The width of the lines of a text that wraps is unknown.
  if (part.width === 0 && hidden >= end - begin) return none;
  if (part.width === 0)
    return {
      from: begin + firstLine * perLine,
      to: Math.min(end, begin + (lastLine + 1) * perLine),
    };
  const from = begin + Math.floor(hidden);
  const to = Math.ceil(begin + hidden + (view.right - Math.max(view.left, part.left)) / letter);
  return from >= end || to <= begin ? none : { from, to: Math.min(end, to) };
}
