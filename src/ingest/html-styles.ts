import type { DomNode } from "html-to-text";

/** Properties by name, the last of each, in lower case. */
export type Declarations = ReadonlyMap<string, string>;

const none: Declarations = new Map();
/** A style attribute is a line; nobody writes a page of it. */
const styleCharacters = 4_000;

export function attribute(element: DomNode, name: string): string | undefined {
  // The library's types say `any`.
  const attributes = element.attribs as Readonly<Record<string, unknown>> | undefined;
  const value = attributes?.[name];
  return typeof value === "string" ? value : undefined;
}

export function declarationsIn(style: string): Declarations {
  if (style === "") return none;
  const found = new Map<string, string>();
  const plain = style
    .slice(0, styleCharacters)
    .toLowerCase()
    .replace(/\/\*[^*]*\*\//g, "");
  for (const declaration of plain.split(";")) {
    const colon = declaration.indexOf(":");
    if (colon === -1) continue;
    const value = declaration.slice(colon + 1).replace(/!\s{0,20}important/, "");
    found.set(declaration.slice(0, colon).trim(), value.trim());
  }
  return found;
}

/** In pixels, whatever the unit: only nought, nearly nought and far away are told apart. */
function lengthOf(value: string | undefined): number {
  const match = /^(-?\d{0,9}\.?\d{1,9})\s?(px|pt|em|rem|ex|%|in|cm)?$/.exec(value ?? "");
  if (match === null) return NaN;
  const factor = { em: 16, rem: 16, in: 96, cm: 38 }[match[2] ?? ""] ?? 1;
  return Number(match[1]) * factor;
}

/** Whether this hides an element with everything in it, whatever that says of itself. */
export function hidesAll(style: Declarations): boolean {
  if (style.size === 0) return false;
  const says = (name: string, ...values: string[]): boolean =>
    values.includes(style.get(name) ?? "");
  if (says("display", "none") || lengthOf(style.get("opacity")) === 0) return true;
  const isNothing = ["max-height", "height", "max-width", "width"].some(
    (name) => lengthOf(style.get(name)) === 0,
  );
  if (isNothing && says("overflow", "hidden", "clip")) return true;
  const isAway = ["left", "top", "right", "bottom"].some(
    (name) => Math.abs(lengthOf(style.get(name))) >= 999,
  );
  const isCut =
    /^rect\((?:\s?[01](?:px)?[\s,]{0,2}){4}\)$/.test(style.get("clip") ?? "") ||
    /^inset\((?:50|100)%\)$/.test(style.get("clip-path") ?? "");
  if ((isAway || isCut) && says("position", "absolute", "fixed")) return true;
  if (/\bscale\(0(?:,\s?0)?\)/.test(style.get("transform") ?? "")) return true;
  return lengthOf(style.get("text-indent")) <= -999;
}

/** Whether text in this element is not seen, unless something in it says otherwise. */
export function hidesOwnText(style: Declarations): boolean {
  const size = lengthOf(fontSizeOf(style));
  const visibility = style.get("visibility");
  return (
    Math.abs(size) <= 1 ||
    visibility === "hidden" ||
    visibility === "collapse" ||
    isClear(style.get("color") ?? "")
  );
}

/** `font-size`, or the size in `font: bold 0/0 a`. */
function fontSizeOf(style: Declarations): string | undefined {
  const own = style.get("font-size");
  if (own !== undefined) return own;
  const size = /(?:^|\s)(\d{0,4}\.?\d{1,4}(?:px|pt|em|rem|ex|%|in|cm)?)(?=[\s/])/;
  // A weight is a number, too, and stands before the size.
  return size.exec((style.get("font") ?? "").replace(/(?:^|\s)[1-9]00(?=\s)/, " "))?.[1];
}

/** Colours that nothing is seen in. */
function isClear(value: string): boolean {
  return (
    value === "transparent" ||
    /^#(?:[0-9a-f]{6}00|[0-9a-f]{3}0)$/.test(value) ||
    /^(?:rgb|hsl)a?\((?:[^(),/\s]+[\s,/]+){3}0(?:\.0+)?%?\s?\)$/.test(value)
  );
}

/** Whether this undoes what an outer element hid: a newsletter's frame has font size 0, its cells have their own. */
export function showsAgain(style: Declarations): boolean {
  const size = fontSizeOf(style);
  return (
    (size !== undefined && !(Math.abs(lengthOf(size)) <= 1) && !/^[\d.]+(?:em|%)$/.test(size)) ||
    style.get("visibility") === "visible"
  );
}

const names: Readonly<Record<string, string>> = {
  white: "ffffff",
  snow: "fffafa",
  ivory: "fffff0",
  black: "000000",
  silver: "c0c0c0",
  gray: "808080",
  red: "ff0000",
  blue: "0000ff",
};

/** `#FFF`, `white` and `rgb(255, 255, 255)` as `ffffff`; undefined for what is no plain colour. */
export function colour(value: string | undefined): string | undefined {
  const text = (value ?? "").trim().toLowerCase();
  const hex = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/.exec(text)?.[1];
  if (hex !== undefined) return hex.length === 6 ? hex : hex.replace(/./g, "$&$&");
  const rgb = /^rgba?\(\s?(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})(?:[\s,/]+1(?:\.0)?)?\s?\)$/.exec(
    text,
  );
  if (rgb === null) return names[text];
  return rgb
    .slice(1)
    .map((part) => Number(part).toString(16).padStart(2, "0"))
    .join("");
}

/** Rules that are looked at; a newsletter's sheet has a tenth of it. */
const sheetCharacters = 200_000;

export interface HiddenNames {
  /** With everything in them. */
  all: ReadonlySet<string>;
  /** Only their own text. */
  text: ReadonlySet<string>;
}

/** The names of classes and ids that a page's style sheets hide, outside of rules for some screens only. Best effort. */
export function hiddenNames(html: string): HiddenNames {
  const hidden = new Set<string>();
  const clear = new Set<string>();
  const rules = plainRules(sheetsOf(html));
  for (const [, selectors = "", body = ""] of rules.matchAll(
    /([^{}]{1,300})\{([^{}]{0,4000})\}/g,
  )) {
    const style = declarationsIn(body);
    const isHiding = hidesAll(style);
    const isClearing = hidesOwnText(style);
    for (const selector of selectors.split(",")) {
      const name = /^\s*[a-z]{0,10}([.#][\w-]{1,100})\s*$/i.exec(selector)?.[1];
      if (name !== undefined && isHiding) hidden.add(name);
      else if (name !== undefined && /\bdisplay\s*:/i.test(body)) hidden.delete(name);
      if (name !== undefined && isClearing) clear.add(name);
      else if (name !== undefined && /\b(?:visibility|font|font-size|color)\s*:/i.test(body))
        clear.delete(name);
    }
  }
  return { all: hidden, text: clear };
}

function sheetsOf(html: string): string {
  const opening = /<style\b[^<>]*>/gi;
  const closing = /<\/style/gi;
  let sheets = "";
  while (sheets.length < sheetCharacters && opening.exec(html) !== null) {
    closing.lastIndex = opening.lastIndex;
    const end = closing.exec(html);
    // What is never closed is looked for once only.
    if (end === null) break;
    sheets += `${html.slice(opening.lastIndex, end.index)}\n`;
    opening.lastIndex = closing.lastIndex;
  }
  return sheets.slice(0, sheetCharacters);
}

/** Without `@media` blocks, whose rules hold for some readers only. */
function plainRules(sheet: string): string {
  let plain = "";
  let depth = 0;
  let isSkipped = false;
  for (const [piece] of withoutComments(sheet).matchAll(/[@{};]|[^@{};]+/g)) {
    if (depth === 0 && piece === "@") isSkipped = true;
    if (!isSkipped) plain += piece;
    if (piece === "{") depth += 1;
    else if (piece === "}") depth = Math.max(0, depth - 1);
    if (depth === 0 && (piece === "}" || piece === ";")) isSkipped = false;
  }
  return plain;
}

function withoutComments(sheet: string): string {
  let text = "";
  let at = 0;
  for (let open = sheet.indexOf("/*"); open !== -1; open = sheet.indexOf("/*", at)) {
    text += sheet.slice(at, open);
    const close = sheet.indexOf("*/", open + 2);
    if (close === -1) return text;
    at = close + 2;
  }
  return (text + sheet.slice(at)).replace(/<!--|-->/g, "");
}
