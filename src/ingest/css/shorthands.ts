import { wordTable } from "../../core/shared/text/word-table.ts";
import { animationLonghands } from "./animation.ts";
import { colourOf, lengthOf, partsOf } from "./values.ts";

export type Longhand = [name: string, value: string];

/** The value of a shorthand, and its parts. A missing second part is like the first. */
interface ShorthandValue {
  value: string;
  parts: readonly string[];
  first: string;
  second: string;
}

type Expand = (given: ShorthandValue) => Longhand[];

/** Size keywords of `font-size`. */
export const fontSizeWords =
  /^(?:xx-small|x-small|small|medium|large|x-large|xx-large|xxx-large|smaller|larger|math)$/;

export const isColour = (value: string): boolean =>
  value === "currentcolor" || colourOf(value) !== undefined;

const sides = ["top", "right", "bottom", "left"];

/** Only the longhands that can hide text are expanded. */
const shorthands = wordTable<Expand>({
  animation: ({ value }) => animationLonghands(value),
  background: ({ value, parts }) => [
    ["background-color", backgroundColour(value, parts)],
    ["background-image", value],
    ["background-clip", parts.includes("text") ? "text" : "border-box"],
  ],
  border: ({ parts }) => [["border-top-width", lengthAmong(parts) ?? "0"]],
  "border-top": ({ parts }) => [["border-top-width", lengthAmong(parts) ?? "0"]],
  columns: ({ parts }) =>
    parts.map((part) => [/^\d+$/.test(part) ? "column-count" : "column-width", part]),
  flex: flexLonghands,
  "flex-flow": ({ parts }) => [
    ["flex-direction", parts.find((part) => /^(?:row|column)/.test(part)) ?? "row"],
    ["flex-wrap", parts.find((part) => part.includes("wrap")) ?? "nowrap"],
  ],
  font: fontLonghands,
  gap: pair("row-gap", "column-gap"),
  grid: gridLonghands,
  "grid-template": gridLonghands,
  inset: ({ parts, first }) =>
    sides.map((side, index) => [side, parts[index] ?? parts[index % 2] ?? first]),
  "inset-block": pair("top", "bottom"),
  "inset-inline": pair("left", "right"),
  margin: ({ parts, first, second }) => [
    ["margin-top", first],
    ["margin-right", second],
    ["margin-left", parts[3] ?? second],
    ["margin-bottom", parts[2] ?? first],
  ],
  "margin-block": pair("margin-top", "margin-bottom"),
  "margin-inline": pair("margin-left", "margin-right"),
  mask: ({ value }) => [
    ["mask-image", value],
    ["mask-size", /\/\s*([^,]*?)(?: (?:no-)?repeat.*)?$/.exec(value)?.[1] ?? "auto"],
  ],
  outline: ({ parts }) => [["outline-width", lengthAmong(parts) ?? "0"]],
  overflow: pair("overflow-x", "overflow-y"),
  padding: ({ parts, first, second }) => [
    ["padding-top", first],
    ["padding-left", parts[3] ?? second],
    ["padding-bottom", parts[2] ?? first],
  ],
  "padding-block": pair("padding-top", "padding-bottom"),
  "padding-inline": ({ first }) => [["padding-left", first]],
  "place-content": pair("align-content", "justify-content"),
  "place-items": pair("align-items", "justify-items"),
  "place-self": ({ first }) => [["align-self", first]],
  "text-decoration": ({ value, parts }) => [
    ["text-decoration-line", value],
    ["text-decoration-thickness", lengthAmong(parts) ?? "auto"],
  ],
  "text-wrap": ({ parts }) => [["white-space", parts.includes("nowrap") ? "nowrap" : "normal"]],
  "white-space-collapse": ({ value }) =>
    value === "collapse"
      ? []
      : [["white-space", value.startsWith("preserve") ? "pre-wrap" : value]],
});

/** Splits a shorthand into its longhands. Any other property is returned unchanged. */
export function expanded(name: string, value: string): Longhand[] {
  const expand = shorthands[name];
  if (expand === undefined) return [[name, value]];
  const parts = partsOf(value);
  const [first = "", second = first] = parts;
  return expand({ value, parts, first, second });
}

function pair(one: string, other: string): Expand {
  return ({ first, second }) => [
    [one, first],
    [other, second],
  ];
}

function lengthAmong(parts: readonly string[]): string | undefined {
  return parts.find((part) => lengthOf(part) >= 0);
}

function backgroundColour(value: string, parts: readonly string[]): string {
  const isWide = parts.length === 1 && /^(?:inherit|initial|unset|revert)$/.test(value);
  return parts.find(isColour) ?? (isWide ? value : "transparent");
}

function gridLonghands({ value }: ShorthandValue): Longhand[] {
  const [rows = "", columns = ""] = value.split("/");
  return [
    ["grid-template-rows", rows.trim()],
    ["grid-template-columns", columns.trim()],
  ];
}

/** Expands the shorthand `font` (CSS Fonts 4, section 2.7). A line height follows the size after a slash. */
function fontLonghands({ value, parts }: ShorthandValue): Longhand[] {
  const [, size = "", line] =
    parts
      .flatMap((part, index) =>
        parts[index + 1]?.startsWith("/")
          ? `${part}${parts[index + 1]}${parts[index + 1] === "/" ? (parts[index + 2] ?? "") : ""}`
          : part,
      )
      .map((part) => /^([^/]+)(?:\/(.*))?$/.exec(part))
      .find((match) => match !== null && isFontSize(match[1] ?? "")) ?? [];
  return [
    ["font-size", size === "" && parts.length === 1 ? value : size],
    ["line-height", line ?? "normal"],
  ];
}

/** Returns whether a value is a font size. A weight is a number too, and precedes the size. */
function isFontSize(value: string): boolean {
  return fontSizeWords.test(value) || (!/^[1-9]\d*$/.test(value) && !Number.isNaN(lengthOf(value)));
}

/** Expands the shorthand `flex` (CSS Flexbox 1, section 7.1.1). */
function flexLonghands({ value, parts }: ShorthandValue): Longhand[] {
  if (value === "none")
    return [
      ["flex-grow", "0"],
      ["flex-shrink", "0"],
    ];
  const numbers = parts.filter((part) => /^[\d.]+$/.test(part));
  const basis = parts.find((part) => !numbers.includes(part)) ?? numbers[2];
  return [
    ["flex-grow", numbers[0] ?? "1"],
    ["flex-shrink", numbers[1] ?? "1"],
    ["flex-basis", basis ?? (numbers.length > 0 ? "0" : "auto")],
  ];
}
