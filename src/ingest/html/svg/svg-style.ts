import type { DomNode } from "html-to-text";
import { type Colour, colourOf, contrast } from "../../css/values.ts";
import type { Declared } from "../../css/variables.ts";
import { attribute, childrenOf } from "../html-page.ts";

/** Presentation attributes that count as the weakest declarations (SVG 2, section 6.6). */
const presentation = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "opacity",
  "visibility",
  "display",
  "font-size",
  "letter-spacing",
] as const;

/** Returns the declarations of an element in a drawing, with its presentation attributes. */
export function withPresentation(element: DomNode, declared: Declared): Map<string, string> {
  const all = new Map<string, string>();
  for (const name of presentation) {
    const value = attribute(element, name)?.trim().toLowerCase();
    if (value === undefined || value === "") continue;
    const isNumber = name === "font-size" && /^[\d.]+$/.test(value);
    all.set(name, isNumber ? `${value}px` : value);
  }
  for (const [name, value] of declared) all.set(name, value);
  return all;
}

/** The paint of shapes and texts, which children inherit. */
export interface Ink {
  fill: string;
  fillOpacity: number;
  stroke: string;
  strokeWidth: number;
  /** `color`, for `currentColor`. */
  current: Colour;
}

export function inkIn(outer: Ink, style: ReadonlyMap<string, string>): Ink {
  const own = (name: string): string | undefined => {
    const value = style.get(name);
    return value === undefined || /^(?:inherit|unset|revert)/.test(value) ? undefined : value;
  };
  const number = (name: string, given: number): number => {
    const value = own(name);
    const parsed = value === undefined ? NaN : parseFloat(value) / (value.endsWith("%") ? 100 : 1);
    return Number.isNaN(parsed) ? given : parsed;
  };
  return {
    fill: own("fill") ?? outer.fill,
    fillOpacity: number("fill-opacity", outer.fillOpacity),
    stroke: own("stroke") ?? outer.stroke,
    strokeWidth: number("stroke-width", outer.strokeWidth),
    current: colourOf(own("color")) ?? outer.current,
  };
}

const none: Colour = [0, 0, 0, 0];

/**
 * Returns the colour of a paint. Undefined if it has several colours.
 * @param ground the colour behind it, to choose the most distinct colour of a gradient
 */
export function paintOf(
  paint: string,
  { current }: Ink,
  find: (id: string) => DomNode | undefined,
  ground: Colour | undefined,
): Colour | undefined {
  if (paint === "none") return none;
  if (paint === "currentcolor") return current;
  const [, id] = /^url\(\s*["']?#([^"')]+)/.exec(paint) ?? [];
  if (id === undefined) return colourOf(paint) ?? [0, 0, 0, 1];
  const stops = stopsOf(find(id));
  if (stops === undefined) return undefined;
  if (ground === undefined) return stops[0] ?? none;
  return stops.toSorted((a, b) => contrast(b, ground) - contrast(a, ground))[0] ?? none;
}

/** Returns the visible colours of a gradient. Undefined for a pattern. */
function stopsOf(server: DomNode | undefined): Colour[] | undefined {
  if (server === undefined) return [];
  if (server.name?.endsWith("gradient") !== true) return undefined;
  return childrenOf(server).flatMap((stop) => {
    if (stop.name !== "stop") return [];
    const style = attribute(stop, "style") ?? "";
    const said = (name: string): string | undefined =>
      new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]+)`, "i").exec(style)?.[1] ??
      attribute(stop, name);
    const colour = colourOf(said("stop-color")?.trim().toLowerCase()) ?? [0, 0, 0, 1];
    const opacity = parseFloat(said("stop-opacity") ?? "1");
    return colour[3] * opacity > 0.1 ? [colour] : [];
  });
}
