import { lengthOf, simplified } from "../../css/values.ts";

/** The visible part of a box, from its left upper corner. CSS pixels. NaN if it is unknown. */
interface Part {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Limits of a part with text. Text begins at the upper left corner of its box, so a part that begins farther away does
 * not show it. CSS pixels.
 */
const start = { left: 60, top: 20, right: 20, bottom: 5 };
/** The limit for a round part, which is made for a picture with text in its middle. */
const roundLeft = 200;

function isPartEmpty(part: Part): boolean {
  return (
    part.right - part.left <= 2 ||
    part.bottom - part.top <= 2 ||
    part.left >= start.left ||
    part.top >= start.top ||
    part.right <= start.right ||
    part.bottom <= start.bottom
  );
}

const numbersIn = (text = ""): number[] =>
  text
    .trim()
    .split(/[\s,]+/)
    .map((one) => lengthOf(one));

/** Returns whether `clip` leaves out the text of a box. */
export function isCutByRect(clip: string): boolean {
  const [, given] = /^rect\(([^()]*)\)$/.exec(clip) ?? [];
  if (given === undefined) return false;
  const [top = NaN, right = NaN, bottom = NaN, left = NaN] = numbersIn(given);
  return isPartEmpty({ left, top, right, bottom });
}

/** Returns whether `clip-path` leaves out the text of a box. */
export function isCutByPath(path: string): boolean {
  const plain = path.replace(
    /\b(?:calc|min|max|clamp)\((?:[^()]|\([^()]*\))*\)/g,
    (one) => `${lengthOf(one)}px`,
  );
  const [, shape, given = ""] = /^([a-z]+)\(([^()]*)\)/.exec(simplified(plain)) ?? [];
  // The extent of these shapes depends on the page and on the box.
  if (shape === "url" || shape === "shape") return true;
  const [sizes, centre] = given.split(/\bround\b/)[0]?.split(/\bat\b/) ?? [];
  const lengths = numbersIn(sizes);
  if (shape === "circle" || shape === "ellipse") {
    const radii = [lengths[0] ?? NaN, lengths[1] ?? lengths[0] ?? NaN];
    const [x = NaN, y = NaN] = radii.map((radius, axis) => {
      const at = numbersIn(centre)[axis] ?? NaN;
      return radius <= 1 || at + radius <= 1 ? -Infinity : at - radius;
    });
    return [x, y].includes(-Infinity) || x >= roundLeft || y >= roundLeft;
  }
  if (shape === "inset") {
    const [top = NaN, right = top, bottom = top, left = right] = lengths;
    return (
      top + bottom >= 150 ||
      isPartEmpty({ left, top: upperOffset(sizes, top), right: 700 - right, bottom: NaN })
    );
  }
  if (shape === "rect") {
    const [top = NaN, right = top, bottom = top, left = right] = lengths;
    return isPartEmpty({ left, top, right, bottom });
  }
  if (shape === "xywh") {
    const [left = NaN, top = NaN, width = NaN, height = NaN] = lengths;
    return isPartEmpty({ left, top, right: left + width, bottom: top + height });
  }
  if (shape !== "polygon" && shape !== "path") return false;
  const points =
    shape === "path"
      ? pairsIn(given)
      : given.split(",").map((point) => numbersIn(point.trim().split(/\s+/).slice(-2).join(" ")));
  const [along = [], down = []] = [0, 1].map((axis) => points.map((point) => point[axis] ?? NaN));
  return isPartEmpty({
    left: Math.min(...along),
    top: Math.min(...down),
    right: Math.max(...along),
    bottom: Math.max(...down),
  });
}

/**
 * Returns the upper offset of an inset. The height of a box is unknown, so a percentage counts as 0 below half of it,
 * and as infinite otherwise.
 */
function upperOffset(sizes: string | undefined, top: number): number {
  const [first = ""] = (sizes ?? "").trim().split(/\s+/);
  return first.endsWith("%") ? (top >= 350 ? Infinity : 0) : top;
}

/**
 * Returns the points of an SVG path that consists of lines with absolute coordinates. The extent of other paths is
 * unknown.
 */
function pairsIn(path: string): number[][] {
  const lengths = (path.match(/-?[\d.]+/g) ?? []).map((one) => Math.abs(Number(one)));
  // The sum of all lengths is the farthest that any drawing can reach.
  if (lengths.reduce((sum, one) => sum + one, 0) <= start.bottom) return [[0, 0]];
  if (/[a-y]/.test(path.replace(/e[+-]?\d/g, "").replace(/[ml]/g, ""))) return [[NaN, NaN]];
  const numbers = (path.match(/-?[\d.]+/g) ?? []).map(Number);
  return Array.from({ length: Math.floor(numbers.length / 2) }, (_, at) =>
    numbers.slice(2 * at, 2 * at + 2),
  );
}
