import { type Colour, colourOf, lengthOf, partsOf } from "../css/values.ts";

/** The least opacity of a mask at which text is visible. */
export const leastOpacity = 0.06;

/** The least part of a box that a mask must show for its text to be visible: a fraction, or CSS pixels. */
const least = { share: 0.3, pixels: 60 };

/**
 * Returns whether a mask hides the text of a box (CSS Masking 1). External pictures are not loaded, so they mask
 * nothing. Any other mask counts as hiding, unless it certainly shows the beginning of the box.
 */
export function isMasked(style: ReadonlyMap<string, string>): boolean {
  const of = (name: string): string => style.get(name) ?? "";
  const border = of("mask-border-source");
  if (border !== "" && !border.startsWith("none")) return true;
  const mask = style.get("mask-image") ?? "none";
  if (mask === "none" || wide.test(mask)) return false;
  if (
    of("mask-size")
      .split(" ")
      .some((one) => lengthOf(one) < least.pixels)
  )
    return true;
  // A mask that the page itself defines is most likely empty. A mask that does not exist hides everything (section
  // 6.1).
  if (/^url\(\s*["']?(?:#|data:)/.test(mask)) return true;
  if (!/gradient\(/.test(mask) || /\b(?:url|image|image-set|element)\(/.test(mask)) return false;
  // The place of a mask without repetition depends on the layout.
  if (/\bno-repeat\b/.test(`${mask} ${of("mask-repeat")}`)) return true;
  if (/\bluminance\b/.test(`${mask} ${of("mask-mode")}`)) return true;
  if (
    /exclude|subtract|intersect|xor|(?:source|destination)-out/.test(
      `${mask} ${of("mask-composite")}`,
    )
  )
    return true;
  return !isStartOpaque(mask);
}

const wide = /^(?:inherit|initial|unset|revert|revert-layer)$/;

/** Returns whether the gradient is opaque at the upper left corner, at which text begins. */
function isStartOpaque(mask: string): boolean {
  const stops = stopsIn(mask);
  if (stops.length === 0) return false;
  const isSolid = ({ colour }: Stop): boolean => colour[3] >= leastOpacity;
  if (stops.every(isSolid)) return true;
  if (!/^(?:-webkit-)?linear-gradient\(/.test(mask)) return false;
  const isTurned = /\(\s*(?:to (?:left|top)|0(?:deg)?\b|-?\d+(?:\.\d+)?(?:deg|turn|rad|grad))/.test(
    mask,
  );
  // A rotated gradient ends at the corner or beside it.
  const [first] = isTurned ? stops.toReversed() : stops;
  if (first === undefined || !isSolid(first) || isTurned) return false;
  return stops.every((stop) => isSolid(stop) || !(stop.at < least.share));
}

interface Stop {
  colour: Colour;
  /** A share of 1. NaN if it is not given. */
  at: number;
}

function stopsIn(mask: string): Stop[] {
  const inner = mask
    .slice(0, 1_000)
    .replace(/^[a-z-]*gradient\(/, "")
    .replace(/\)\s*$/, "");
  const stops: Stop[] = [];
  for (const part of inner.split(/,(?![^()]*\))/)) {
    const [name = "", place] = partsOf(part.trim());
    const colour = colourOf(name) ?? colourOf(name.replace(/\)+$/, ""));
    if (colour === undefined) continue;
    stops.push({ colour, at: lengthOf(place?.replace(/\)+$/, ""), 16, 200) / 200 });
  }
  return stops;
}
