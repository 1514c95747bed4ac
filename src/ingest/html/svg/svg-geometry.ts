import type { DomNode } from "html-to-text";
import { attribute } from "../html-page.ts";

/** A linear map and an offset, in the order of the function `matrix` (CSS Transforms 1, section 12). */
export type Matrix = readonly [number, number, number, number, number, number];

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** Returns the map that first applies the inner one. */
export function combined(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [
    a * g + c * h,
    b * g + d * h,
    a * i + c * j,
    b * i + d * j,
    a * k + c * l + e,
    b * k + d * l + f,
  ];
}

/** Returns the factor by which a map changes lengths. */
export function scaleOf([a, b, c, d]: Matrix): number {
  return Math.sqrt(Math.abs(a * d - b * c));
}

/** Returns the box around a mapped box. */
export function mapped([a, b, c, d, e, f]: Matrix, { left, top, right, bottom }: Box): Box {
  const points = [left, right].flatMap((x) =>
    [top, bottom].map((y) => [a * x + c * y + e, b * x + d * y + f] as const),
  );
  const [across, down] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return {
    left: Math.min(...across),
    top: Math.min(...down),
    right: Math.max(...across),
    bottom: Math.max(...down),
  };
}

const numbers = (text: string): number[] =>
  (text.slice(0, 5_000).match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);

/** Parses the attribute `transform`. Unknown functions are ignored. */
export function transformOf(text = ""): Matrix {
  let all = identity;
  for (const [, name = "", given = ""] of text.slice(0, 2_000).matchAll(/(\w+)\s*\(([^()]*)\)/g)) {
    const [one = 0, two, ...rest] = numbers(given);
    const turn = (one * Math.PI) / 180;
    const [x = 0, y = 0] = [two, rest[0]];
    const own: Record<string, Matrix> = {
      translate: [1, 0, 0, 1, one, two ?? 0],
      scale: [one, 0, 0, two ?? one, 0, 0],
      matrix: [one, two ?? 0, rest[0] ?? 0, rest[1] ?? 0, rest[2] ?? 0, rest[3] ?? 0],
      rotate: combined(
        [Math.cos(turn), Math.sin(turn), -Math.sin(turn), Math.cos(turn), x, y],
        [1, 0, 0, 1, -x, -y],
      ),
      skewx: [1, 0, Math.tan(turn), 1, 0, 0],
      skewy: [1, Math.tan(turn), 0, 1, 0, 0],
    };
    all = combined(all, own[name.toLowerCase()] ?? identity);
  }
  return all;
}

/** Returns a length in pixels. A percentage refers to `whole`. */
export function lengthIn(text: string | undefined, whole: number, em = 16): number | undefined {
  const [, number, unit = ""] =
    /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(%|[a-z]*)/i.exec(text ?? "") ?? [];
  if (number === undefined) return undefined;
  const factors: Record<string, number> = { "%": whole / 100, em, rem: 16, pt: 4 / 3, in: 96 };
  return Number(number) * (factors[unit.toLowerCase()] ?? 1);
}

/** Returns the map from the coordinates of a drawing to its box, by `viewBox` and `preserveAspectRatio`. */
export function viewOf(svg: DomNode, width: number, height: number): Matrix {
  const [x = 0, y = 0, across = 0, down = 0] = numbers(attribute(svg, "viewbox") ?? "");
  if (!(across > 0) || !(down > 0)) return identity;
  const how = attribute(svg, "preserveaspectratio") ?? "";
  const scales = [width / across, height / down] as const;
  const one = /slice/.test(how) ? Math.max(...scales) : Math.min(...scales);
  const [right, low] = /none/.test(how) ? scales : [one, one];
  return [
    right,
    0,
    0,
    low,
    (width - across * right) / 2 - x * right,
    (height - down * low) / 2 - y * low,
  ];
}

/** Returns the box of a shape in its own coordinates. A path counts as the box around its numbers. */
export function shapeBox(shape: DomNode, view: { width: number; height: number }): Box | undefined {
  const { name = "" } = shape;
  const length = (of: string, whole: number): number => lengthIn(attribute(shape, of), whole) ?? 0;
  const [across, down] = [view.width, view.height];
  if (/^(?:rect|image|foreignobject|svg)$/.test(name)) {
    const [left, top] = [length("x", across), length("y", down)];
    return {
      left,
      top,
      right: left + length("width", across),
      bottom: top + length("height", down),
    };
  }
  if (name === "circle" || name === "ellipse") {
    const [x, y] = [length("cx", across), length("cy", down)];
    const round = name === "circle" ? length("r", across) : undefined;
    // The largest square within.
    const [wide, high] = [round ?? length("rx", across), round ?? length("ry", down)].map(
      (radius) => radius * Math.SQRT1_2,
    ) as [number, number];
    return { left: x - wide, top: y - high, right: x + wide, bottom: y + high };
  }
  const points = attribute(shape, name === "path" ? "d" : "points");
  if (!/^(?:path|polygon|polyline)$/.test(name) || points === undefined) return undefined;
  const all = numbers(points);
  const [xs, ys] = [0, 1].map((side) => all.filter((_, at) => at % 2 === side)) as [
    number[],
    number[],
  ];
  if (ys.length === 0) return undefined;
  return {
    left: Math.min(...xs),
    top: Math.min(...ys),
    right: Math.max(...xs),
    bottom: Math.max(...ys),
  };
}

/** Returns the shares of a box's width and height that are in another. */
export function sharesIn(box: Box, other: Box): { across: number; down: number } {
  const share = (from: number, to: number, begin: number, end: number): number =>
    to <= from ? 0 : Math.max(0, Math.min(to, end) - Math.max(from, begin)) / (to - from);
  return {
    across: share(box.left, box.right, other.left, other.right),
    down: share(box.top, box.bottom, other.top, other.bottom),
  };
}

/** A shape hides a text if it covers this share of it. */
const covered = 0.7;

/** Returns whether another box covers most of a box. */
export function isIn(box: Box, other: Box): boolean {
  const { across, down } = sharesIn(box, other);
  return across * down >= covered;
}

/** Returns the common part of two boxes. */
export function intersection(one: Box, other: Box): Box {
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  };
}
