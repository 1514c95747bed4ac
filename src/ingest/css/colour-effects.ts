import { type Colour, shareOf } from "./values.ts";
import { wordTable } from "../../core/shared/text/word-table.ts";

/** Applies `invert`, `brightness` and `contrast` to a colour (Filter Effects 1, section 10). */
export function filtered([red, green, blue, alpha]: Colour, filter: string): Colour {
  let parts = [red, green, blue];
  for (const [, name, given = ""] of filter.matchAll(
    /\b(invert|brightness|contrast)\(([^()]*)\)/g,
  )) {
    const share = given.trim() === "" ? 1 : shareOf(given.trim());
    if (Number.isNaN(share) || share < 0) continue;
    const most = Math.min(1, share);
    parts = parts
      .map((part) =>
        name === "brightness"
          ? part * share
          : name === "contrast"
            ? (part - 127.5) * share + 127.5
            : part * (1 - most) + (255 - part) * most,
      )
      .map((part) => Math.min(255, Math.max(0, part)));
  }
  const [r = 0, g = 0, b = 0] = parts;
  return [r, g, b, alpha];
}

/** Separable blend modes (Compositing 1, section 10.1), for shares of 1. Others need all three parts. */
const modes = wordTable<(ground: number, ink: number) => number>({
  multiply: (ground, ink) => ground * ink,
  screen: (ground, ink) => ground + ink - ground * ink,
  darken: Math.min,
  lighten: Math.max,
  difference: (ground, ink) => Math.abs(ground - ink),
  exclusion: (ground, ink) => ground + ink - 2 * ground * ink,
  "color-dodge": (ground, ink) =>
    ground === 0 ? 0 : Math.min(1, ground / Math.max(1e-6, 1 - ink)),
  "color-burn": (ground, ink) =>
    ground === 1 ? 1 : 1 - Math.min(1, (1 - ground) / Math.max(1e-6, ink)),
  "hard-light": (ground, ink) =>
    ink <= 0.5 ? 2 * ground * ink : ground + (2 * ink - 1) - ground * (2 * ink - 1),
  overlay: (ground, ink) =>
    ground <= 0.5 ? 2 * ground * ink : ink + (2 * ground - 1) - ink * (2 * ground - 1),
  "soft-light": (ground, ink) =>
    ink <= 0.5
      ? ground - (1 - 2 * ink) * ground * (1 - ground)
      : ground + (2 * ink - 1) * (Math.sqrt(ground) - ground),
  // The lightness of one of the two colours remains, which decides about the contrast.
  luminosity: (_ground, ink) => ink,
  color: (ground) => ground,
  hue: (ground) => ground,
  saturation: (ground) => ground,
  "plus-lighter": (ground, ink) => Math.min(1, ground + ink),
});

/** Blends an opaque colour with the colour behind it. Undefined for modes that are not computed. */
export function blended(ink: Colour, ground: Colour, mode: string): Colour | undefined {
  const blend = modes[mode];
  if (blend === undefined) return undefined;
  const part = (at: 0 | 1 | 2): number => blend(ground[at] / 255, ink[at] / 255) * 255;
  return [part(0), part(1), part(2), 1];
}
