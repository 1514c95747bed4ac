import { isEdgeOn, isUpended, lengthOf, shareOf, simplified } from "../css/values.ts";

/**
 * Returns the smaller scale of both directions. Text without width is invisible at any height.
 * @param eye the `perspective` of the box around it
 */
export function scaleOf(style: ReadonlyMap<string, string>, eye = NaN): number {
  const zoom = shareOf(style.get("zoom"));
  let scale = Number.isNaN(zoom) ? 1 : zoom;
  const least = (values: readonly string[]): number =>
    Math.min(
      1,
      ...values.map((one) => Math.abs(shareOf(one.trim()))).filter((one) => !Number.isNaN(one)),
    );
  scale *= least(simplified(style.get("scale") ?? "").split(" "));
  const transform = simplified(style.get("transform") ?? "");
  for (const [, name, given = ""] of transform.matchAll(/\b(\w+)\(([^()]*)\)/g)) {
    const values = given.split(",");
    if (name?.startsWith("scale")) scale *= least(values.slice(0, 2));
    if (name?.startsWith("matrix")) scale *= matrixScale(values.map(Number));
    if (name?.startsWith("skew") && values.some(isEdgeOn)) scale = 0;
  }
  const [, near] = /perspective\(([^()]*)\)/.exec(transform) ?? [];
  const [, depth] = /translate(?:z|3d)\((?:[^()]*,)?([^(),]*)\)/.exec(transform) ?? [];
  // Text behind the reader's viewpoint.
  const distance = near === undefined ? eye : lengthOf(near);
  const nearer = lengthOf(depth?.trim());
  if (nearer >= distance) scale = 0;
  else if (nearer < 0 && distance > 0) scale *= distance / (distance - nearer);
  if (isTurnedAway(style, transform) || isHuge(style, transform, zoom)) scale = 0;
  return scale;
}

/** Returns the smaller scale of both directions in `matrix()` and `matrix3d()`. */
function matrixScale(values: readonly number[]): number {
  const next = values.length === 16 ? 4 : 2;
  const [a = 1, b = 0, c = 0, d = 1] = [values[0], values[1], values[next], values[next + 1]];
  const [across, along] = [Math.hypot(a, b), Math.hypot(c, d)];
  // Both directions may be on one line.
  const height = Math.abs(a * d - b * c) / Math.max(across, along, 1e-9);
  const scale = Math.min(1, across, along, height);
  return Number.isNaN(scale) ? 1 : scale;
}

/** Returns whether a box is rotated or mirrored around a point other than its centre, which moves its text away. */
function isTurnedAway(style: ReadonlyMap<string, string>, transform: string): boolean {
  const origin = style.get("transform-origin") ?? "";
  if (!/left|top|right|bottom|\d/.test(origin) || origin.startsWith("50% 50%")) return false;
  const [, turned] = /\brotatez?\(([^()]*)\)/.exec(transform) ?? [];
  if ([turned ?? "", style.get("rotate") ?? ""].some((one) => isUpended(one.trim()))) return true;
  return /\bscale[xy3d]*\([^()]*-/.test(transform) || /(?:^| )-/.test(style.get("scale") ?? "");
}

/** Returns whether a box is so large that a window shows only a part of a letter. */
function isHuge(style: ReadonlyMap<string, string>, transform: string, zoom: number): boolean {
  const given = /\bscale[xy3d]*\(([^()]*)\)/.exec(transform)?.[1] ?? "";
  const factors = `${given} ${style.get("scale") ?? ""}`.split(/[\s,]+/).map(shareOf);
  return [zoom, ...factors].some((one) => Math.abs(one) >= 20);
}
