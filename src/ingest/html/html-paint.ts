import type { DomNode } from "html-to-text";
import { isMasked, leastOpacity } from "./html-mask.ts";
import {
  type Colour,
  colourOf,
  contrast,
  lengthOf,
  over,
  partsOf,
  shareOf,
} from "../css/values.ts";

/** The colours and effects behind and over the text of an element. */
export interface Paint {
  /** Undefined if a picture or an unsupported background is behind the text. */
  ground: Colour | undefined;
  /** The box covers its whole parent, so its background is behind the text after it. */
  isCover: boolean;
  /** The text is visible by something else than its colour. */
  isPainted: boolean;
  /** The filters that change colours, and the background outside the filtered element. */
  filter: { value: string; ground: Colour | undefined } | undefined;
  /** The innermost `mix-blend-mode`, and the background with which it blends. */
  blend: { mode: string; ground: Colour } | undefined;
}

/** Text with less contrast is invisible. On white, #eee has 1.16, and #ccc, a grey that is hard to read, has 1.6. */
export const leastContrast = 1.2;

/**
 * Returns the share of an element that is drawn.
 * @param em its font size
 */
export function opacityOf(style: ReadonlyMap<string, string>, em: number): number {
  const filter = style.get("filter") ?? "";
  const faded = Array.from(filter.matchAll(/\bopacity\(([^()]*)\)/g), ([, share = ""]) => share);
  const [, blur] = /\bblur\(([^()]*)\)/.exec(filter) ?? [];
  if (lengthOf(blur?.trim()) >= em / 3) return 0;
  // A filter that the page defines can draw anything.
  if (/\burl\(/.test(filter)) return 0;
  if (isMasked(style)) return 0;
  const shares = [style.get("opacity"), ...faded.map((share) => share.trim())].map(shareOf);
  return shares.reduce(
    (all, share) => all * (Number.isNaN(share) ? 1 : Math.min(1, Math.max(0, share))),
    1,
  );
}

export function colourFilter(value: string | undefined, outer: Paint): Paint["filter"] {
  if (value === undefined || !/\b(?:invert|brightness|contrast)\(/.test(value)) return outer.filter;
  const ground = outer.filter === undefined ? outer.ground : outer.filter.ground;
  return { value: `${outer.filter?.value ?? ""} ${value.slice(0, 200)}`.slice(-500), ground };
}

export function blendOf(mode: string | undefined, outer: Paint): Paint["blend"] {
  if (mode === undefined || mode === "normal" || outer.ground === undefined) return outer.blend;
  return { mode, ground: outer.ground };
}

export function groundOf(
  style: ReadonlyMap<string, string>,
  outer: Colour | undefined,
  ink: Colour,
): Colour | undefined {
  const given = style.get("background-color");
  const colour = given === "currentcolor" ? ink : colourOf(given);
  const own =
    colour === undefined || colour[3] === 0
      ? outer
      : colour[3] === 1
        ? colour
        : outer && over(colour, outer);
  const image = style.get("background-image") ?? "none";
  // Mail programs do not load external pictures before the reader asks for them.
  if (!/gradient\(/.test(image)) return own;
  const colours = coloursIn(image.replace(/\burl\(\s*(?:"[^"]*"|'[^']*'|[^)]*)\s*\)/g, ""));
  const [first] = colours;
  // A gradient between nearly equal colours counts as one colour.
  const isPlain =
    first !== undefined &&
    colours.every((one) => one[3] === 1 && contrast(one, first) < leastContrast);
  return isPlain ? first : undefined;
}

function coloursIn(value: string): Colour[] {
  return value
    .slice(0, 1_000)
    .split(/[\s,]+(?![^()]*\)(?:[^()]*\)))|\bgradient\(/)
    .flatMap((part) => partsOf(part.replace(/^[a-z-]*gradient\(/, "")))
    .map((part) => colourOf(part.replace(/,$/, "")) ?? colourOf(part.replace(/[,)]+$/, "")))
    .filter((colour) => colour !== undefined);
}

/** Returns whether a thick outline in the colour of the background, or a thick line, covers the letters. */
export function isPaintedOver(
  style: ReadonlyMap<string, string>,
  em: number,
  ground: Colour | undefined,
): boolean {
  const line = style.get("text-decoration-line") ?? "";
  const thickness = lengthOf(style.get("text-decoration-thickness"), em, em);
  if (/through/.test(line) && thickness >= em / 2) return true;
  const outline = lengthOf(style.get("outline-width"), em);
  if (outline >= em / 2 && lengthOf(style.get("outline-offset"), em) <= -em / 2) return true;
  const [width = "", ...colour] = partsOf(style.get("-webkit-text-stroke-width") ?? "");
  const stroke = colourOf(colour.join(" "));
  if (!(lengthOf(width, em) >= em / 8) || stroke === undefined || ground === undefined)
    return false;
  return stroke[3] > 0.5 && contrast(over(stroke, ground), ground) < leastContrast;
}

/** Returns whether text is visible without its own colour: by a clipped picture, a shadow or an outline. */
export function isPainted(
  style: ReadonlyMap<string, string>,
  outer: Paint,
  ground: Colour | undefined,
): boolean {
  const isDistinct = (one: Colour, behind: Colour | undefined): boolean =>
    one[3] > leastOpacity &&
    (behind === undefined || contrast(over(one, behind), behind) >= leastContrast);
  if (style.get("background-clip") === "text") {
    const image = style.get("background-image") ?? "";
    const isDrawn =
      /url\(/.test(image) ||
      (/gradient\(/.test(image) && coloursIn(image).some((one) => isDistinct(one, outer.ground)));
    return isDrawn || outer.isPainted;
  }
  const shadow = style.get("text-shadow") ?? "none";
  const stroke = style.get("-webkit-text-stroke-width") ?? "";
  for (const paint of [shadow, stroke]) {
    const isThere = partsOf(paint).some((part) => lengthOf(part.replace(/,$/, "")) > 0);
    if (!isThere) continue;
    if (coloursIn(paint).some((one) => isDistinct(one, ground))) return true;
  }
  return outer.isPainted;
}

/** Returns whether an element is a form control, which has a background of its own. */
export function isButton({ name }: DomNode): boolean {
  return name === "button" || name === "select" || name === "textarea";
}

/** Returns the colour that browsers give to a form control. */
export function fieldGround({ name }: DomNode): Colour {
  return name === "button" ? [239, 239, 239, 1] : [255, 255, 255, 1];
}
