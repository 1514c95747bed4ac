import { degreesOf, simplified } from "../css/values.ts";
import { wordTable } from "../../core/shared/text/word-table.ts";

/** The rows of a matrix of rotation. */
export type Rotation = readonly [Row, Row, Row];
type Row = readonly [number, number, number];

const unturned: Rotation = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** A box is seen from its edge if the rotation leaves less than this share of it. That is less than a degree. */
const edge = Math.sin(Math.PI / 180);

/** Properties that make a box flat, for any `transform-style` (CSS Transforms 2, section 4.1.1). */
const flattening = ["filter", "clip-path", "mask-image", "mix-blend-mode"];

/**
 * Returns the rotation of a box in space.
 * @param outer the rotation of the boxes around it that share their space with it
 */
export function turnOf(style: ReadonlyMap<string, string>, outer: Rotation | undefined): Rotation {
  let turn = outer ?? unturned;
  const add = (axis: readonly string[], angle: string): void => {
    const own = rotation(axis.map(Number), (degreesOf(angle) * Math.PI) / 180);
    if (own !== undefined) turn = product(turn, own);
  };
  const [angle = "", ...axis] = simplified(style.get("rotate") ?? "")
    .split(" ")
    .reverse();
  if (axis.length > 0) add(axesOf[axis.join("")] ?? axis.reverse(), angle);
  const transform = simplified(style.get("transform") ?? "");
  const functions = /\b(?:rotate(x|y|z|3d)?|(matrix)3d)\(([^()]*)\)/g;
  for (const [, name = "", matrix, given = ""] of transform.matchAll(functions)) {
    const values = given.split(",");
    if (matrix !== undefined) turn = product(turn, matrixOf(values.map(Number)));
    else if (name === "") continue;
    else add(name === "3d" ? values.slice(0, 3) : (axesOf[name] ?? []), values.at(-1) ?? "");
  }
  return turn;
}

const axesOf = wordTable<readonly string[]>({
  x: ["1", "0", "0"],
  y: ["0", "1", "0"],
  z: ["0", "0", "1"],
});

/** Returns whether the content of a box shares its space (`preserve-3d`). */
export function preserves3d(style: ReadonlyMap<string, string>): boolean {
  if (style.get("transform-style") !== "preserve-3d") return false;
  const isCut = ["overflow-x", "overflow-y"].some((one) => !isPlain(style.get(one), "visible"));
  const isFlat = flattening.some(
    (one) => !isPlain(style.get(one), one.startsWith("mix") ? "normal" : "none"),
  );
  return !isCut && !isFlat && !(Number(style.get("opacity") ?? 1) < 1);
}

function isPlain(value: string | undefined, plain: string): boolean {
  return value === undefined || value === plain;
}

/** Returns whether a reader sees only the edge of a box, or its hidden back. */
export function isFacingAway([[, , x], [, , y], [, , z]]: Rotation, isOneSided: boolean): boolean {
  const front = z / Math.hypot(x, y, z);
  return Math.abs(front) < edge || (isOneSided && front < 0);
}

/** Returns the rotation in `matrix3d()`, which lists columns. */
function matrixOf(values: readonly number[]): Rotation {
  const row = (at: number): Row => [values[at] ?? 0, values[at + 4] ?? 0, values[at + 8] ?? 0];
  return [row(0), row(1), row(2)];
}

/** Returns the rotation around an axis (CSS Transforms 2, section 14). Undefined if it is invalid. */
function rotation(axis: readonly number[], angle: number): Rotation | undefined {
  const [a = 0, b = 0, c = 0] = axis;
  const length = Math.hypot(a, b, c);
  if (!(length > 0) || Number.isNaN(angle)) return undefined;
  const [x, y, z] = [a / length, b / length, c / length];
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const rest = 1 - cos;
  return [
    [cos + x * x * rest, x * y * rest - z * sin, x * z * rest + y * sin],
    [y * x * rest + z * sin, cos + y * y * rest, y * z * rest - x * sin],
    [z * x * rest - y * sin, z * y * rest + x * sin, cos + z * z * rest],
  ];
}

function product(left: Rotation, right: Rotation): Rotation {
  const at = ([a, b, c]: Row, column: 0 | 1 | 2): number =>
    a * right[0][column] + b * right[1][column] + c * right[2][column];
  const row = (one: Row): Row => [at(one, 0), at(one, 1), at(one, 2)];
  return [row(left[0]), row(left[1]), row(left[2])];
}
