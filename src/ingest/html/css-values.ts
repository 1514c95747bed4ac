import { calc } from "@csstools/css-calc";
import { color, serializeRGB, SyntaxFlag } from "@csstools/css-color-parser";
import { parseComponentValue } from "@csstools/css-parser-algorithms";
import { tokenize } from "@csstools/css-tokenizer";

/** Red, green and blue from 0 to 255, and how much of it covers what is behind, from 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number, alpha: number];

const pixels: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  rem: 16,
  vw: 7,
  vh: 9,
  vmin: 7,
  vmax: 9,
};

/**
 * A length in CSS pixels, for the reader of `css-media.ts`; NaN for what is none.
 * @param em the font size
 * @param whole what 100 % are of
 */
export function lengthOf(value: string | undefined, em = 16, whole = 700): number {
  if (value === undefined || value.length > 200) return NaN;
  const text = /^(?:calc|min|max|clamp)\(/.test(value) ? calc(value) : value;
  const match = /^([+-]?(?:\d{1,12}\.?\d{0,12}|\.\d{1,12})(?:e[+-]?\d{1,2})?)([a-z]*|%)$/.exec(
    text,
  );
  if (match === null) return NaN;
  const [, number, unit = ""] = match;
  const factor =
    { em, ch: em / 2, ex: em / 2, "%": whole / 100 }[unit] ?? pixels[unit] ?? Number.NaN;
  return Number(number) * factor;
}

/** A share of 1: `0.5` or `50%`. */
export function shareOf(value: string | undefined): number {
  return lengthOf(value, 1, 1);
}

const white: Colour = [255, 255, 255, 1];
const black: Colour = [0, 0, 0, 1];
const systems: Readonly<Record<string, Colour>> = {
  canvas: white,
  field: white,
  canvastext: black,
  fieldtext: black,
  windowtext: black,
  window: white,
};
/** A page has a dozen. Whoever writes thousands gets the last ones judged as unknown. */
const mostColours = 5_000;
const seen = new Map<string, Colour | undefined>();

/** Undefined for what is no colour, or one that depends on something else. */
export function colourOf(value: string | undefined): Colour | undefined {
  if (value === undefined || value === "" || value.length > 200) return undefined;
  if (seen.has(value)) return seen.get(value);
  if (seen.size > mostColours) seen.clear();
  const found = systems[value] ?? computedColour(value);
  seen.set(value, found);
  return found;
}

function computedColour(value: string): Colour | undefined {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(value);
  if (hex !== null) {
    const [red, green, blue] = hex.slice(1).map((part) => Number.parseInt(part, 16));
    return [red ?? 0, green ?? 0, blue ?? 0, 1];
  }
  // The library takes fifty microseconds for what pages write most.
  const rgb = /^rgb\((\d{1,3}) ?, ?(\d{1,3}) ?, ?(\d{1,3})\)$/.exec(value);
  if (rgb !== null) {
    const [red = 0, green = 0, blue = 0] = rgb.slice(1).map((part) => Math.min(255, Number(part)));
    return [red, green, blue, 1];
  }
  const parsed = parseComponentValue(tokenize({ css: value }));
  const data = parsed === undefined ? false : color(parsed);
  if (data === false || data.syntaxFlags.has(SyntaxFlag.RelativeColorSyntax)) return undefined;
  const [red, green, blue, alpha = 1] = (String(serializeRGB(data)).match(/[\d.]+/g) ?? []).map(
    Number,
  );
  return red === undefined || green === undefined || blue === undefined
    ? undefined
    : [red, green, blue, alpha];
}

/** A colour of the attributes `bgcolor`, `color` and `text`, which may lack their `#`. */
export function attributeColour(value: string): string {
  const text = value.trim().toLowerCase();
  return /^(?:[0-9a-f]{6}|[0-9a-f]{3})$/.test(text) && colourOf(text) === undefined
    ? `#${text}`
    : text;
}

/** The parts of a value that are parted by blanks outside of brackets. */
export function partsOf(value: string): string[] {
  return (
    value.slice(0, 2_000).match(/[^\s(]*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[^\s]+/g) ?? []
  );
}

/** What is seen where one colour lies over another. */
export function over([red, green, blue, alpha]: Colour, ground: Colour, share = 1): Colour {
  const cover = alpha * share;
  const mix = (one: number, other: number): number => one * cover + other * (1 - cover);
  return [mix(red, ground[0]), mix(green, ground[1]), mix(blue, ground[2]), 1];
}

/** How well one is told from the other, from 1 (not at all) to 21 (WCAG 2.2, contrast ratio). */
export function contrast(one: Colour, other: Colour): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function luminance([red, green, blue]: Colour): number {
  const linear = (part: number): number => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
