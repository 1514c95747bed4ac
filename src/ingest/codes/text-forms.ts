import { withRanges } from "./letters.ts";
import { addWide } from "./text-pass.ts";

// The characters that `halfWidth` replaces.
addWide([
  [0xff_01, 0xff_5e],
  [0x30_00, 0x30_00],
  [0xa0, 0xa0],
  [0x20_2f, 0x20_2f],
  [0x20_07, 0x20_07],
  [0x06_60, 0x06_69],
  [0x06_f0, 0x06_f9],
  [0x24_60, 0x24_68],
  [0x24_ea, 0x24_ea],
  [0x27_76, 0x27_7e],
  [0x20_e3, 0x20_e3],
]);

/**
 * Returns a text in which full-width digits, letters and signs, Arabic digits, and digits in circles, have their
 * ASCII form. Every character keeps its position. The signs that make a digit a key have no width.
 */
export function halfWidth(text: string): string {
  return /[\uFF01-\uFF5E\u3000\u00A0\u202F\u2007\u0660-\u0669\u06F0-\u06F9\u2460-\u2468\u24EA\u2776-\u277E]|\u20E3/.test(
    text,
  )
    ? text
        .replace(/[\uFF01-\uFF5E]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
        .replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (char) => String(char.charCodeAt(0) & 15))
        .replace(/[\u3000\u00A0\u202F\u2007]/g, " ")
        .replace(/\uFE0F|\u20E3/g, "\u200B")
        .replace(/[\u2460-\u2468\u2776-\u277E\u24EA]/g, digitInCircle)
    : text;
}

const wideText = /[\uFF01-\uFF5E\u0660-\u0669\u06F0-\u06F9\u2460-\u2468\u24EA\u2776-\u277E]/;

/** Returns whether `halfWidth` replaces more than blanks and signs without width. */
export const hasWideText = (text: string): boolean => wideText.test(text);

function digitInCircle(char: string): string {
  const code = char.charCodeAt(0);
  if (code === 0x24ea) return "0";
  return String(code < 0x2500 ? code - 0x245f : code - 0x2775);
}

/** Replaces dots that lead from a name to its value by a colon. Every character keeps its position. */
export function withoutLeaders(text: string): string {
  if (!text.includes("...")) return text;
  return text.replace(leaders, (dots: string, at: number) => {
    const end = at + dots.length;
    const isBeside =
      afterName.test(text.slice(Math.max(0, at - 2), at)) &&
      beforeValue.test(text.slice(end, end + 2));
    // Three dots directly behind a word and before a blank are an ellipsis.
    const isEllipsis = dots.length === 3 && text[end] === " " && text[at - 1] !== " ";
    return isBeside && !isEllipsis ? ":".padEnd(dots.length) : dots;
  });
}

const leaders = /\.{3,}/g;
const afterName = withRanges(String.raw`[\p{L}\d)] ?$`);
const beforeValue = withRanges(String.raw`^ ?[\p{L}\d]`);

/** Words or values between one or two asterisks, which mark bold text. */
const bold =
  /(?<=^|[\s:：(（「])(\*{1,2})([^\s*](?:[^*\n]{0,80}[^\s*])?)\1(?=[\s.,;:!?)）」。、]|$)/my;

/**
 * Replaces the marks of bold text by blanks. Every character keeps its position. Asterisks are found much faster than
 * the pattern.
 */
export function withoutBold(text: string): string {
  let at = text.indexOf("*");
  if (at === -1) return text;
  const parts: string[] = [];
  let from = 0;
  while (at !== -1) {
    bold.lastIndex = at;
    const [found, marks = "", content = ""] = bold.exec(text) ?? [];
    if (found !== undefined) {
      const blanks = " ".repeat(marks.length);
      parts.push(text.slice(from, at), blanks, content, blanks);
      from = at + found.length;
    }
    at = text.indexOf("*", Math.max(from, at + 1));
  }
  return from === 0 ? text : parts.join("") + text.slice(from);
}

const blockStart = "-----BEGIN ";
const firstOfBlock = /^-----BEGIN (?![^\n]{0,30}PRIVATE)([A-Z0-9 ]{3,40})-----[ \t\r]*$/;
/** A blank line, a header or a line of Base64. A message may quote them. */
const ofBlock =
  /^(?:> ?)*(?:[A-Za-z-]{3,20}: .*|[A-Za-z0-9+/]{0,76}={0,2}|=[A-Za-z0-9+/]{4})[ \t\r]*$/;
const ofBase64 = /^(?:> ?)*=?[A-Za-z0-9+/]{4,76}={0,2}[ \t\r]*$/;

/**
 * Blanks the Base64 of signatures, encrypted messages and public keys. Their lines look like recovery keys. A block with any
 * other line stays as it is. Every character keeps its position.
 */
export function withoutArmour(text: string): string {
  if (!text.includes(blockStart)) return text;
  const lines = text.split("\n");
  let from = 0;
  let name: string | undefined;
  for (const [at, line] of lines.entries()) {
    const plain = line.replace(/^(?:> ?)*/, "");
    const begun = firstOfBlock.exec(plain)?.[1];
    if (begun !== undefined) [name, from] = [begun, at + 1];
    else if (name !== undefined && plain.startsWith(`-----END ${name}-----`)) {
      for (let index = from; index < at; index += 1)
        if (ofBase64.test(lines[index] ?? "")) lines[index] = " ".repeat(lines[index]?.length ?? 0);
      name = undefined;
    } else if (!ofBlock.test(line)) name = undefined;
  }
  return lines.join("\n");
}

/**
 * Returns a text in lower case. Every character keeps its position. The flags `iu` together make a pattern several
 * times slower to compile and to search, and each thread compiles it anew.
 */
export function alignedLowerCase(text: string): string {
  if (text === lastSmall.text) return lastSmall.small;
  const lower = text.toLowerCase();
  // The lower case of `İ` has two units.
  const small = lower.length === text.length ? lower : text.replaceAll("İ", "I").toLowerCase();
  if (text.length > worthKeeping) lastSmall = { text, small };
  return small;
}

/** Frees the last long text. Otherwise the mail would stay in memory until the next one arrives. */
export function forgetText(): void {
  lastSmall = none;
}

const none = { text: "", small: "" };
/** The last long text, which several rules read one after the other. */
let lastSmall = none;
const worthKeeping = 300;
