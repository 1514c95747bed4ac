import { isValid } from "./properties.ts";
import { simplified } from "./values.ts";
import { wordTable } from "../../core/shared/text/word-table.ts";

/**
 * The reader for whom a page is judged: a mail program on a computer, with a light colour scheme. Text that is hidden
 * only from other readers is kept. CSS pixels.
 */
const reader = wordTable<number>({
  width: 700,
  "device-width": 1_280,
  height: 900,
  "device-height": 1_024,
  resolution: 1,
  "-webkit-device-pixel-ratio": 1,
  "aspect-ratio": 700 / 900,
  "device-aspect-ratio": 1_280 / 1_024,
  color: 8,
  monochrome: 0,
  "color-index": 0,
  grid: 0,
});

const words = wordTable<string>({
  orientation: "portrait",
  "prefers-color-scheme": "light",
  "prefers-reduced-motion": "no-preference",
  "prefers-contrast": "no-preference",
  "forced-colors": "none",
  "inverted-colors": "none",
  hover: "hover",
  "any-hover": "hover",
  pointer: "fine",
  "any-pointer": "fine",
  "display-mode": "browser",
  scripting: "none",
  "color-gamut": "srgb",
  "dynamic-range": "standard",
  "video-dynamic-range": "standard",
  "overflow-block": "scroll",
  "overflow-inline": "scroll",
  "prefers-reduced-transparency": "no-preference",
  "prefers-reduced-data": "no-preference",
  update: "fast",
});

const pixels = wordTable<number>({ em: 16, rem: 16, pt: 96 / 72, in: 96, cm: 38 });

/** Returns whether rules under this list of media queries apply (Media Queries 4). Unknown queries do not. */
export function appliesToReader(queries: string): boolean {
  return applies(queries, reader);
}

type Reader = Readonly<Record<string, number>>;

function applies(queries: string, to: Reader): boolean {
  const text = simplified(
    queries
      .replace(/\/\*.*?\*\//gs, " ")
      .trim()
      .toLowerCase(),
  );
  return (
    text === "" ||
    text
      .slice(0, 2_000)
      .split(",")
      .some((query) => matchesQuery(query, to))
  );
}

/**
 * Returns whether rules under `@container` apply.
 * @param width the width of the container in CSS pixels, at most that of the window
 */
export function appliesToContainer(prelude: string, width: number): boolean {
  const condition = prelude.trim().replace(/^(?!not\b)[\w-]+(?=\s*(?:\(|not\b))/i, "");
  const text = condition.replace(/inline-size/gi, "width").replace(/block-size/gi, "height");
  const own = wordTable({ ...reader, width: Math.min(width, reader["width"] ?? width) });
  return applies(text, own);
}

function matchesQuery(query: string, to: Reader): boolean {
  const match = /^\s*(?:(not|only)\s+)?(?:([a-z-]+)(?:\s+and\s+(.*))?|(\(.*))$/s.exec(query);
  if (match === null) return false;
  const [, modifier, type = "all", rest, bare] = match;
  const condition = rest ?? bare;
  const known = condition === undefined ? true : holds(condition, (one) => feature(one, to));
  if (known === undefined) return false;
  const answer = (type === "all" || type === "screen") && known;
  return modifier === "not" ? !answer : answer;
}

type Feature = (text: string) => boolean | undefined;

/** Evaluates a condition over features in brackets. Undefined if it is unknown, also when negated. */
function holds(condition: string, is: Feature): boolean | undefined {
  let text = condition;
  // Replaces the innermost brackets by a letter, round by round.
  for (let round = 0; round < 20; round += 1) {
    const next = text.replace(/\(([^()]*)\)/g, (_, inner: string) => evaluated(inner, is));
    if (next === text) break;
    text = next;
  }
  return answerOf(evaluated(text, is));
}

const answers = { "?t": true, "?f": false } as const;

function answerOf(text: string): boolean | undefined {
  return text === "?t" || text === "?f" ? answers[text] : undefined;
}

function evaluated(inner: string, is: Feature): string {
  const text = inner.trim();
  if (!text.includes("?")) return markOf(is(text));
  const negated = /^not\s+(\S+)$/.exec(text)?.[1];
  if (negated !== undefined) {
    const answer = answerOf(negated);
    return markOf(answer === undefined ? undefined : !answer);
  }
  const isAny = /\sor\s/.test(text);
  const parts = text
    .split(/\s+(?:and|or)\s+/)
    .map((part) => answerOf(evaluatedPart(part.trim(), is)));
  if (parts.includes(undefined)) return markOf(undefined);
  return markOf(isAny ? parts.includes(true) : !parts.includes(false));
}

function evaluatedPart(part: string, is: Feature): string {
  return part.startsWith("not ") ? evaluated(part, is) : part;
}

function markOf(answer: boolean | undefined): string {
  if (answer === undefined) return "?u";
  return answer ? "?t" : "?f";
}

function feature(text: string, to: Reader): boolean | undefined {
  const named = /^([a-z-]+)\s*(?::\s*(.*))?$/s.exec(text);
  if (named !== null) {
    const [, name = "", value] = named;
    const range = /^(-webkit-)?(min|max)-(.*)$/.exec(name);
    const own = range === null ? name : `${range[1] ?? ""}${range[3] ?? ""}`;
    if (words[own] !== undefined)
      return value === undefined
        ? !["none", "no-preference"].includes(words[own])
        : words[own] === value;
    const is = to[own];
    if (is === undefined) return undefined;
    if (value === undefined) return is !== 0;
    return compared(is, range === null ? "=" : range[2] === "min" ? ">=" : "<=", value);
  }
  // Ranges: `400px <= width < 900px`.
  const parts = text.split(/\s*([<>]=?|=)\s*/);
  const at = parts.findIndex((part) => to[part] !== undefined);
  const is = to[parts[at] ?? ""];
  if (is === undefined || parts.length > 5) return undefined;
  const after = parts[at + 1];
  const before = parts[at - 1];
  const upper = after === undefined ? true : compared(is, after, parts[at + 2] ?? "");
  const turned = before?.replace(/[<>]/, (sign) => (sign === "<" ? ">" : "<"));
  const lower = turned === undefined ? true : compared(is, turned, parts[at - 2] ?? "");
  return upper === undefined || lower === undefined ? undefined : upper && lower;
}

function compared(is: number, sign: string, value: string): boolean | undefined {
  const [, number, unit = ""] =
    /^(-?[\d.]+)\s*(px|em|rem|pt|in|cm|dppx|x|dpi)?(?:\s*\/\s*[\d.]+)?$/.exec(value.trim()) ?? [];
  if (number === undefined) return undefined;
  const below = /\/\s*([\d.]+)$/.exec(value)?.[1];
  const factor = unit === "dpi" ? 1 / 96 : (pixels[unit] ?? 1);
  const to = (Number(number) * factor) / (below === undefined ? 1 : Number(below));
  if (sign === ">=") return is >= to;
  if (sign === "<=") return is <= to;
  if (sign === ">") return is > to;
  return sign === "<" ? is < to : is === to;
}

/** The properties of common browsers, by their first word. */
const properties =
  /^(?:-webkit-(?:appearance|background|box|filter|font|line|mask|text|transform|user)|accent|align|all|animation|appearance|aspect|backdrop|backface|background|block|border|bottom|box|break|caret|clear|clip|color|column|columns|contain|container|content|counter|cursor|direction|display|empty|fill|filter|flex|float|font|gap|grid|height|hyphens|image|inline|inset|isolation|justify|left|letter|line|list|margin|mask|max|min|mix|object|offset|opacity|order|orphans|outline|overflow|overscroll|padding|page|paint|perspective|place|pointer|position|quotes|resize|right|rotate|row|scale|scroll|shape|stroke|tab|table|text|top|touch|transform|transition|translate|unicode|user|vertical|visibility|white|widows|width|will|word|writing|z|zoom)(?:-[a-z-]+)?$/;

/** A function with up to two functions nested in it. */
const call = /([\w-]+)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;

/**
 * Returns whether rules under `@supports` apply to a common browser (CSS Conditional 4).
 * @param unknown the result for properties that a newer browser may know
 */
export function isSupported(condition: string, unknown?: boolean): boolean {
  const text = condition
    .slice(0, 2_000)
    .toLowerCase()
    .replace(call, (_, name: string) =>
      /^(?:selector|font-tech|font-format)$/.test(name) ? "(selector:x)" : "f",
    );
  return holds(text, (one) => isKnownProperty(one, unknown)) === true;
}

function isKnownProperty(text: string, unknown = false): boolean {
  const [, name = "", value = ""] = /^([\w-]+)\s*:\s*(.+)$/s.exec(text) ?? [];
  if (name === "selector" || name.startsWith("--")) return true;
  if (!properties.test(name)) return unknown && /^(?!mso)[a-z]/.test(name);
  return /\bf\b/.test(value) || isValid({ name, value: value.trim() });
}
