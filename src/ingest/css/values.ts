import { calc } from "@csstools/css-calc";
import { color, serializeRGB } from "@csstools/css-color-parser";
import { parseComponentValue } from "@csstools/css-parser-algorithms";
import { tokenize } from "@csstools/css-tokenizer";
import { wordTable } from "../../core/shared/text/word-table.ts";

/** Red, green and blue from 0 to 255, and opacity from 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number, alpha: number];

const pixels = wordTable<number>({
  "": 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  rem: 16,
  rlh: 16,
  rcap: 16,
  ric: 16,
  rch: 8,
  rex: 8,
  vw: 7,
  vi: 7,
  vh: 9,
  vb: 9,
  vmin: 7,
  vmax: 9,
});

/** Units of small and large windows and of containers, all of which are treated as the size of the window. */
const windowUnit = /^(?:[sld]v|cq)(w|h|i|b|min|max)$/;

/**
 * Parses a length into CSS pixels, for the reader of `media.ts`. NaN if it is not a length.
 * @param em the font size
 * @param whole the length of 100 %
 */
export function lengthOf(value: string | undefined, em = 16, whole = 700): number {
  if (value === undefined || value.length > mostCharacters) return NaN;
  const factorOf = (unit: string): number | undefined =>
    ({ em, ch: em / 2, ex: em / 2, cap: em, ic: em, lh: em, "%": whole / 100 })[unit] ??
    pixels[unit.replace(windowUnit, "v$1")];
  // Calculations can mix units: `calc(-100vw - 9px)`.
  const text = mathematics.test(value)
    ? calc(
        value.replace(lengthInside, (given, number: string, unit: string) => {
          const factor = factorOf(unit);
          return factor === undefined ? given : `${Number(number) * factor}px`;
        }),
      )
    : value;
  const match = /^([+-]?(?:\d{1,20}\.?\d{0,20}|\.\d{1,20})(?:e[+-]?\d{1,3})?)([a-z]*|%)$/.exec(
    text,
  );
  if (match === null) return NaN;
  const [, number, unit = ""] = match;
  return Number(number) * (factorOf(unit) ?? Number.NaN);
}

/** The mathematical functions of CSS Values 4. */
const mathematics =
  /\b(?:calc|min|max|clamp|round|mod|rem|abs|sign|hypot|sqrt|pow|exp|log|sin|cos|tan)\(/;
const lengthInside = /(?<![\w.#])((?:\d{1,12}\.?\d{0,12}|\.\d{1,12})(?:e[+-]?\d{1,2})?)([a-z]+|%)/g;

/** Longer lengths and colours are padded on purpose, and are not computed. */
const mostCharacters = 200;
const computed =
  /^-?(?:calc|min|max|clamp|round|mod|rem|abs|sign|hypot|sqrt|pow|exp|log|sin|cos|tan|calc-size|rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark)\(/;

/**
 * Functions whose result depends on more than the style: attributes, conditions, positions and functions of the page.
 */
const dependent =
  /(?:^|[^\w-])(?:(?:if|attr|inherit|calc-size|anchor|anchor-size|random|random-item|random-key|sibling-index|sibling-count|first-valid|toggle|progress|sign|contrast-color|device-cmyk)|--[\w-]+)\(/;

/** Returns whether a value is valid in some browsers and cannot be computed here. */
export function isUndecidable(value: string): boolean {
  if (!value.includes("(")) return false;
  if (value.length > mostCharacters && computed.test(value)) return true;
  if (dependent.test(value) || /\b(?:nan|infinity)\b/i.test(simplified(value))) return true;
  return computedColours.test(value) && colourOf(value) === undefined;
}

/** Colours that are computed from others, possibly from that of the surrounding text. */
const computedColours =
  /^(?:color-mix|color|(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?(?=\(\s*from\b))\(/;

/** Replaces the calculations in a value by their results. */
export function simplified(value: string): string {
  return value.length <= 500 && mathematics.test(value) ? calc(value) : value;
}

const degrees = wordTable<number>({
  deg: 1,
  turn: 360,
  grad: 0.9,
  rad: 180 / Math.PI,
});

/** Returns the degrees of an angle. NaN if it is not an angle. */
export function degreesOf(angle: string): number {
  const [, number, unit = ""] = /^([+-]?[\d.]{1,12})([a-z]+)$/.exec(angle.trim()) ?? [];
  return Number(number) * (degrees[unit] ?? Number.NaN);
}

/** Returns whether an angle turns the lines of a box sideways or upside down. */
export function isUpended(angle: string): boolean {
  const turned = Math.abs(degreesOf(angle) % 360);
  return turned >= 60 && turned <= 300;
}

/** Returns whether an angle turns a box so that only its edge is seen. */
export function isEdgeOn(angle: string): boolean {
  return Math.abs(Math.abs(degreesOf(angle) % 180) - 90) < 1;
}

/** Parses a fraction: `0.5` or `50%`. */
export function shareOf(value: string | undefined): number {
  return lengthOf(value, 1, 1);
}

const white: Colour = [255, 255, 255, 1];
const black: Colour = [0, 0, 0, 1];
const systems = wordTable<Colour>({
  canvas: white,
  field: white,
  canvastext: black,
  fieldtext: black,
  windowtext: black,
  window: white,
  buttonface: [239, 239, 239, 1],
  buttontext: black,
  buttonborder: black,
  linktext: [0, 0, 238, 1],
  visitedtext: [85, 26, 139, 1],
  highlight: [51, 144, 255, 1],
  highlighttext: white,
  mark: [255, 255, 0, 1],
  marktext: black,
  graytext: [128, 128, 128, 1],
});
/** The system colours of a dark page. */
const dark = wordTable<string>({
  canvas: "#121212",
  field: "#3b3b3b",
  canvastext: "#ffffff",
  fieldtext: "#ffffff",
  windowtext: "#ffffff",
  window: "#121212",
  buttonface: "#6b6b6b",
  buttontext: "#ffffff",
  linktext: "#9e9eff",
  visitedtext: "#d0adf0",
});

/** Returns whether a page or element has dark system colours for a reader who prefers light ones. */
export function isDarkOnly(scheme: string): boolean {
  return /\bdark\b/.test(scheme) && !/\blight\b/.test(scheme);
}

/** Returns a value with the system colours of a dark page. */
export function inDark(value: string): string {
  const [, chosen] = /^light-dark\([^(),]*(?:\([^()]*\))?[^(),]*,(.*)\)$/.exec(value) ?? [];
  const given = chosen?.trim() ?? value;
  return dark[given] ?? given;
}

/** Limit on cached colours. A page uses a dozen. */
const mostColours = 5_000;
const seen = new Map<string, Colour | undefined>();

/** Parses a colour. Undefined if it is invalid or depends on other values. */
export function colourOf(value: string | undefined): Colour | undefined {
  if (value === undefined || value === "" || value.length > mostCharacters) return undefined;
  if (seen.has(value)) return seen.get(value);
  // The reader of `media.ts` prefers light pages.
  const [, light] = /^light-dark\(\s*([^(),]*(?:\([^()]*\))?)\s*,/.exec(value) ?? [];
  if (light !== undefined) return colourOf(light);
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
  // The most common form is parsed here, because the library takes fifty microseconds for it.
  const rgb = /^rgb\((\d{1,3}) ?, ?(\d{1,3}) ?, ?(\d{1,3})\)$/.exec(value);
  if (rgb !== null) {
    const [red = 0, green = 0, blue = 0] = rgb.slice(1).map((part) => Math.min(255, Number(part)));
    return [red, green, blue, 1];
  }
  const parsed = parseComponentValue(tokenize({ css: value }));
  const data = parsed === undefined ? false : color(parsed);
  if (data === false) return undefined;
  const [red, green, blue, alpha = 1] = (String(serializeRGB(data)).match(/[\d.]+/g) ?? []).map(
    Number,
  );
  return red === undefined || green === undefined || blue === undefined
    ? undefined
    : [red, green, blue, alpha];
}

/** Parses a colour of the attributes `bgcolor`, `color` and `text`, which accept any text (HTML, section 2.3.6). */
export function attributeColour(value: string): string {
  const text = value.trim().toLowerCase().slice(0, 128);
  if (text === "" || text === "transparent") return "";
  if (/^[a-z]+$/.test(text) && colourOf(text) !== undefined) return text;
  if (/^#[0-9a-f]{3}$/.test(text)) return text;
  const digits = text.replace(/^#/, "").replace(/[^0-9a-f]/g, "0");
  const whole = digits.padEnd(Math.ceil(digits.length / 3) * 3 || 3, "0");
  const third = whole.length / 3;
  let parts = [0, third, 2 * third].map((at) => whole.slice(at, at + third).slice(-8));
  while ((parts[0]?.length ?? 0) > 2 && parts.every((part) => part.startsWith("0")))
    parts = parts.map((part) => part.slice(1));
  return `#${parts.map((part) => part.slice(0, 2).padStart(2, "0")).join("")}`;
}

/** Splits a value at blanks outside brackets. */
export function partsOf(value: string): string[] {
  return (
    value.slice(0, 2_000).match(/[^\s(]*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[^\s]+/g) ?? []
  );
}

/** Returns the visible colour of one colour over another. */
export function over([red, green, blue, alpha]: Colour, ground: Colour, share = 1): Colour {
  const cover = alpha * share;
  const mix = (one: number, other: number): number => one * cover + other * (1 - cover);
  return [mix(red, ground[0]), mix(green, ground[1]), mix(blue, ground[2]), 1];
}

/** Returns the contrast ratio of two colours, from 1 (none) to 21 (WCAG 2.2). */
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
