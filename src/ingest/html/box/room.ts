import { isMoved, offsetOf } from "./offset.ts";
import { lengthOf } from "../../css/values.ts";

/** The size of a box that clips its content. CSS pixels. */
export interface Room {
  width: number;
  height: number;
}

/** The narrowest page on a computer. CSS pixels. */
const narrowest = 400;

const cuts = /hidden|clip|scroll|auto|overlay/;

export function isCutting(style: ReadonlyMap<string, string>, how = cuts): boolean {
  return (
    how.test(style.get("overflow-x") ?? "") ||
    how.test(style.get("overflow-y") ?? "") ||
    /\b(?:strict|content|paint)\b/.test(style.get("contain") ?? "")
  );
}

/** Returns the offsets of an element's content. Percentages refer to the clipping box, or are 0 if there is none. */
function offsetsOf(style: ReadonlyMap<string, string>, em: number, outer: Room): Room {
  const share = (size: number): number => (size === Infinity ? 0 : size);
  const sum = (...names: readonly string[]): number =>
    names.reduce((all, name) => {
      const isOver = /top|bottom/.test(name);
      // A percentage of a margin or padding refers to the width, on each side (CSS 2, section 8.3).
      const whole =
        isOver && name.includes("-") && outer.width === Infinity
          ? narrowest
          : share(isOver && !name.includes("-") ? outer.height : outer.width);
      return all + (lengthOf(style.get(name), em, whole) || 0);
    }, 0);
  const hasPlace = isMoved(style);
  // An offset from the opposite side moves a box in the other direction.
  const inset = (start: string, end: string): number =>
    hasPlace ? sum(start) || Math.abs(sum(end)) : 0;
  const moves = new Map([...style].filter(([name]) => /^trans(?:form|late)$/.test(name)));
  const { right, down } = offsetOf(moves, em, { right: 0, down: 0 });
  return {
    width: sum("margin-left", "padding-left") + inset("left", "right") + right,
    height: sum("margin-top", "padding-top") + inset("top", "bottom") + down,
  };
}

/** Returns whether an element's content begins within the box that clips it. */
export function isRoom(style: ReadonlyMap<string, string>, em: number, outer: Room): boolean {
  const { width, height } = offsetsOf(style, em, outer);
  return width < outer.width && height < outer.height;
}

/** Returns the space in the clipping box for the content of an element. */
export function roomIn(style: ReadonlyMap<string, string>, em: number, outer: Room): Room {
  const offsets = offsetsOf(style, em, outer);
  const isCut = isCutting(style);
  const sizeOf = (side: "width" | "height"): number => {
    const rest = outer[side] - offsets[side];
    const sizes = [side, `max-${side}`].map((name) => lengthOf(style.get(name), em, NaN));
    return isCut ? Math.min(rest, ...sizes.filter((size) => size > 0)) : rest;
  };
  return { width: sizeOf("width"), height: sizeOf("height") };
}
