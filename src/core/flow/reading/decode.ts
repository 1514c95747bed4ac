import {
  ascii85Decoded,
  base32Decoded,
  base58Decoded,
  binaryDecoded,
  codesDecoded,
  joinedCodesDecoded,
  octalCodesDecoded,
  octalDecoded,
} from "./other-bases.ts";
import { fromInvisible } from "./invisible.ts";
import { visibleForms } from "./normalise.ts";
import { inDecimal, prefixedNumber } from "./number-bases.ts";
import { hexDecoded, inflated, printable } from "./printable.ts";
import { matchesInRuns } from "./odd-runs.ts";
import { remembered } from "./remembered.ts";
import {
  type Change,
  NotCompared,
  type Reading,
  backwards,
  partOf,
  replaced,
  replacedAt,
  verbatim,
} from "./reading.ts";
import { rotatedLetters } from "../spelling/ciphers.ts";
import { digitsIn } from "./tokens.ts";

/** Levels of nested encodings that are decoded. Each level costs further passes over the text. */
const maxDepth = 3;
/** Decoded forms of one text. Ordinary texts have fewer than half as many. */
const maxReadings = 40;

/** Encoded text has some letter in upper case, or a digit. Ordinary words do not. */
const base64Form = /(?<![A-Za-z0-9+/_-])(?=[a-z+/_-]*[A-Z\d])[A-Za-z0-9+/_-]{6,}={0,2}/g;
/** The same in a path or a name, where `/`, `-` and `_` are separators. */
const segmentForm =
  /(?<![A-Za-z0-9+_-])(?=[a-z+_-]*[A-Z\d])[A-Za-z0-9+_-]{6,}(?:={1,2}|(?![A-Za-z0-9+_-]))/g;
const wordForm = /(?<![A-Za-z0-9+])(?=[a-z+]*[A-Z\d])[A-Za-z0-9+]{6,}={0,2}/g;
const utf7Form = /\+[A-Za-z0-9+/]{4,}-?/g;
const base58Form = /(?<![A-Za-z0-9])(?=[a-z]*[A-Z\d])[1-9A-HJ-NP-Za-km-z]{6,200}(?![A-Za-z0-9])/g;
const splitBase64 = /^\s*[A-Za-z0-9+/_-]{2,}(?:\s+[A-Za-z0-9+/_-]+)+={0,2}\s*$/g;
/** Encoded text with a separator between all characters. */
const spacedForm =
  /(?<!\S)(?:[A-Za-z0-9+/_-][ .,|]){5,}[A-Za-z0-9+/_-](?:[ .,|]=){0,2}(?![^\s.,])/g;
/** Encoded text backwards, so that its padding comes first. */
const backwardsForm = /(?<![A-Za-z0-9+/_-])={0,2}(?=[a-z+/_-]*[A-Z\d])[A-Za-z0-9+/_-]{6,}/g;
const hexForm =
  /(?<![0-9a-z])(?:0x|\\x)?[0-9a-f]{2}(?:[\s:,.\-_/|\\]{0,2}(?:0x|\\x)?[0-9a-f]{2}){2,}(?![0-9a-z])/gi;
/** Backwards, bytes may end in the middle of a group. Without separators, `backwardsForm` finds them. */
const groupedHexForm = /(?<![0-9a-z])[0-9a-f]{1,8}(?:[\s:,.\-_/|][0-9a-f]{1,8})+(?![0-9a-z])/gi;
/** One word at a time. `hexForm` would include a neighbour like "facade", which has only hexadecimal digits too. */
const hexWordForm = /(?<![0-9a-z])(?:[0-9a-f]{2}){3,}(?![0-9a-z])/gi;
/** The encodings of bytes by digits: binary, decimal and octal. */
const binaryForm = /(?<!\d)(?:[01]{8}[\s,]{0,2}){3,}(?!\d)/g;
const characterCodes = /(?<!\d)(?:\d{2,5}\D{1,8}){3,}\d{2,5}(?!\d)/g;
const joinedCodes = /(?<!\d)(?:(?:[3-9]\d){4,}|(?:0[3-9]\d|1[0-2]\d){3,})(?!\d)/g;
/** Encoded text in groups with the same separator. The first group has a digit or a capital after its first letter. */
const groupedForm =
  /(?<![A-Za-z0-9+=])(?=[A-Za-z0-9+]*(?:\d|[A-Za-z+][A-Z]))[A-Za-z0-9+]{2,12}([ \n._/|,:-]{1,2})(?:[A-Za-z0-9+]{2,12}\1)*[A-Za-z0-9+]{2,12}={0,2}(?![A-Za-z0-9+=])/g;
const ascii85Form = /(?:<~)?(?<!\S)(?=\S*[^\w\s])[!-uz~]{7,}(?:~>)?(?!\S)/g;
const octalForm = /(?:\\[0-3]?[0-7]{2}){3,}/g;
const base32Form = /(?<![A-Za-z0-9])(?:[A-Z2-7]{7,}|[a-z2-7]{7,})={0,6}/g;
/** The same separators many times in a row, and how many of their characters are kept. */
const fillers = /([^\p{L}\p{N}]{1,3}?)\1{15,}/gu;
const keptOfFillers = 8;
const quotedForm = /(?:=[0-9a-f]{2})+/gi;
const percentForm = /(?:%[0-9a-f]{2})+/gi;
const entityForm =
  /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});?|\\u\{[0-9a-f]{1,6}\}|[\\%]u[0-9a-f]{4}|(?<![0-9a-z])U\+[0-9a-f]{4,6}(?:\s(?=U\+))?/gi;

/** The same three backwards. Their characters are read backwards together, because a letter may have several bytes. */
const backwardsSigns =
  /(?<![0-9a-z%])(?:[0-9a-f]{2}%){2,}(?![0-9a-f])|(?:;(?:\d{2,7}|[0-9a-f]{2,6}x)#&){2,}|(?<![0-9a-z\\])(?:[0-9a-f]{2}x\\){2,}/gi;
/** Parts that are encoded one by one, with the same separator. Each of them has a digit or a capital. */
const partsForm =
  /(?<![A-Za-z0-9+=_-])(?=[a-z]*[A-Z\d])[A-Za-z0-9_-]{2,12}={0,2}([ \n.,/|:;]{1,2})(?:(?=[a-z]*[A-Z\d])[A-Za-z0-9_-]{2,12}={0,2}\1)*(?=[a-z]*[A-Z\d])[A-Za-z0-9_-]{2,12}={0,2}(?![A-Za-z0-9+=_-]|(?!\1)[.,/|:;]+[A-Za-z0-9])/g;

const namedEntities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  shy: "",
  hyphen: "-",
  dash: "-",
  commat: "@",
  period: ".",
  colon: ":",
  sol: "/",
  lowbar: "_",
  num: "#",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  szlig: "ß",
  eacute: "é",
  egrave: "è",
  agrave: "à",
  ccedil: "ç",
  ntilde: "ñ",
};

/**
 * Returns a text without invisible characters, and the texts that it decodes to. Case and accents are unchanged.
 * @throws NotCompared if it decodes in too many ways
 */
export function decodedForms(text: string): readonly Reading[] {
  const written = verbatim(text);
  const first = visibleForms(written);
  const hidden = fromInvisible(written, printable);
  const seen = new Set([first.text]);
  const found = [first];
  let level = hidden === undefined ? [first] : [first, visibleForms(hidden)];
  found.push(...level.slice(1));
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    level = level
      .flatMap(decodings)
      .map(visibleForms)
      .filter(({ text: decoded }) => {
        if (seen.has(decoded)) return false;
        // The encoding that is not read could be the one with private content.
        if (seen.size >= maxReadings) throw new NotCompared();
        seen.add(decoded);
        return true;
      });
    found.push(...level);
  }
  return found;
}

/** A way to write a text, and how to read it. */
interface Encoding {
  form: RegExp;
  decode: (run: string) => string | undefined;
  /** A part of every match. It is found faster than the form, which most texts do not have. */
  hint?: RegExp;
  /** The fewest digits of a match. */
  digits?: number;
  /** The fewest characters of a match, if each match is a part of an odd run. */
  inRuns?: number;
}

/** Runs whose decoded form is kept for each encoding. A month with its year is tried in most questions. */
const kept = { texts: 500, longest: 24 };

const encodings: readonly Encoding[] = withMemory([
  { form: percentForm, decode: percentDecoded, hint: /%[0-9a-f]{2}/i },
  { form: quotedForm, decode: hexDecoded, hint: /=[0-9a-f]{2}/i },
  { form: entityForm, decode: entityDecoded, hint: /&[#a-z]|[\\%]u|u\+/i },
  { form: backwardsSigns, decode: signsTurned, hint: /[0-9a-f]%[0-9a-f]{2}%|#&;|x\\[0-9a-f]{2}x/i },
  { form: partsForm, decode: partsDecoded },
  { form: hexForm, decode: hexDecoded },
  { form: hexWordForm, decode: hexDecoded },
  { form: groupedHexForm, decode: groupedHexTurned, digits: 4 },
  { form: binaryForm, decode: binaryDecoded, digits: 24 },
  { form: characterCodes, decode: codesDecoded, digits: 8 },
  { form: characterCodes, decode: octalCodesDecoded, digits: 8 },
  { form: joinedCodes, decode: joinedCodesDecoded, digits: 8 },
  { form: prefixedNumber, decode: inDecimal, hint: /0[xbo]/i },
  { form: groupedForm, decode: groupsDecoded },
  { form: ascii85Form, decode: ascii85Decoded, hint: /[!"#$%&*+<=>@[\\\]^`]/ },
  { form: octalForm, decode: octalDecoded, hint: /\\/ },
  { form: base32Form, decode: base32Decoded },
  { form: base64Form, decode: (run) => base64Decoded(run) ?? rotatedBase64(run), inRuns: 6 },
  { form: segmentForm, decode: base64Decoded, hint: /\//, inRuns: 6 },
  { form: wordForm, decode: base64Decoded, hint: /[A-Za-z0-9][/_-]+[A-Za-z0-9]/, inRuns: 6 },
  { form: utf7Form, decode: utf7Decoded, hint: /\+[A-Za-z0-9]{4}/ },
  { form: base58Form, decode: base58Decoded, inRuns: 6 },
  { form: spacedForm, decode: spacedDecoded },
  { form: backwardsForm, decode: backwardsDecoded, inRuns: 6 },
  // Base64 that is split by spaces or line breaks, as mail programs write it.
  { form: splitBase64, decode: (run) => base64Decoded(run.replace(/\s+/g, "")) },
]);

function withMemory(all: readonly Encoding[]): Encoding[] {
  return all.map((encoding) => ({ ...encoding, decode: remembered(encoding.decode, kept) }));
}

function mayMatch({ hint, digits = 0 }: Encoding, text: string, count: number): boolean {
  return count >= digits && (hint === undefined || hint.test(text));
}

function decodings(source: Reading): Reading[] {
  const found: Reading[] = [];
  const count = digitsIn(source.text);
  for (const encoding of encodings) {
    if (!mayMatch(encoding, source.text, count)) continue;
    const { form, decode, inRuns } = encoding;
    const decoded =
      inRuns === undefined
        ? replaced(source, form, decode)
        : replacedInRuns(source, form, decode, inRuns);
    if (decoded !== undefined) found.push(decoded);
  }
  return found;
}

/** Does the same as `replaced` for a form whose matches are parts of odd runs. */
function replacedInRuns(
  source: Reading,
  form: RegExp,
  decode: Encoding["decode"],
  shortest: number,
): Reading | undefined {
  const changes: Change[] = [];
  for (const { run, start, end } of matchesInRuns(source.text, form, shortest)) {
    const text = decode(run);
    if (text !== undefined && text !== run) changes.push({ start, end, text });
  }
  return replacedAt(source, changes);
}

/** Yields for each encoding the contents of its runs with more than `length` characters, each as a text of its own. */
export function* decodedRuns(source: Reading, length: number): Generator<readonly Reading[]> {
  const count = digitsIn(source.text);
  for (const encoding of encodings) {
    if (!mayMatch(encoding, source.text, count)) continue;
    const found: Reading[] = [];
    for (const { 0: run, index } of source.text.matchAll(encoding.form)) {
      const text = run.length > length ? encoding.decode(run) : undefined;
      if (text === undefined) continue;
      const whole = partOf(source, index, index + run.length);
      found.push(replacedAt(whole, [{ start: 0, end: run.length, text }]) ?? whole);
    }
    yield found;
  }
}

/** Returns a long text without long rows of separators, and the text that its invisible characters stand for. */
export function visibleTexts(text: string): readonly Reading[] {
  const written = verbatim(text);
  const hidden = fromInvisible(written, printable);
  return [written, ...(hidden === undefined ? [] : [hidden])].map((each) => {
    const visible = visibleForms(each);
    return replaced(visible, fillers, (run) => run.slice(0, keptOfFillers)) ?? visible;
  });
}

function spacedDecoded(run: string): string | undefined {
  const joined = run.replace(/[ .,|]/g, "");
  // A dash or a word of one letter before the row may belong to the sentence.
  return decodedPart(joined) ?? decodedPart(joined.slice(1));
}

function backwardsDecoded(run: string): string | undefined {
  const turned = backwards(run);
  return /^(?:[0-9a-f]{2})+$/i.test(turned) ? hexDecoded(turned) : base64Decoded(turned);
}

/** Decodes a part of an encoded text that was sent alone. It may be shorter than a whole one. */
export function decodedPart(part: string): string | undefined {
  return /^(?:[0-9a-f]{2})+$/i.test(part) ? hexDecoded(part) : base64Decoded(part);
}

/** A part of an encoded text rather than a word: it has a digit, or a capital after the first letter. */
const odd = /\d|.[A-Z]/;

function groupsDecoded(run: string): string | undefined {
  const groups = run.split(/[^A-Za-z0-9+=]+/);
  const size = groups[0]?.length ?? 0;
  const shorter = groups.findIndex((group) => group.length !== size);
  // Words after the groups are parts of a sentence.
  const isLast = shorter > 0 && odd.test(groups[shorter] ?? "");
  const count = shorter < 0 ? groups.length : shorter + (isLast ? 1 : 0);
  if (count < 2) return undefined;
  const joined = groups.slice(0, count).join("");
  // Base32 has letters of one case.
  const isMixed = /[a-z]/.test(joined) && /[A-Z]/.test(joined);
  const decoded = (isMixed ? undefined : base32Decoded(joined)) ?? base64Decoded(joined);
  return decoded && [decoded, ...groups.slice(count)].join(" ");
}

/** Reads bytes or characters whose signs are backwards. */
function signsTurned(run: string): string | undefined {
  const turned = backwards(run);
  return turned.startsWith("&")
    ? turned.replace(entityForm, (entity) => entityDecoded(entity) ?? entity)
    : hexDecoded(turned);
}

/** Decodes parts that are too short to be an encoded text alone. Words before and after them stay. */
function partsDecoded(run: string): string | undefined {
  const parts = run.split(/[ \n.,/|:;]+/);
  const decoded = parts.map(decodedPart);
  if (!decoded.some((part, at) => part !== undefined && decoded[at + 1] !== undefined))
    return undefined;
  return parts.map((part, at) => decoded[at] ?? ` ${part} `).join("");
}

function base64Decoded(run: string): string | undefined {
  if (!/[A-Z\d]/.test(run)) return undefined;
  const digits = run.replace(/=+$/, "");
  // A single digit is left over. It is too short for a byte, so this is not base64.
  if (digits.length % 4 === 1) return undefined;
  const bytes = Buffer.from(digits, "base64url");
  return printable(bytes) ?? (odd.test(digits) ? inflated(bytes) : undefined);
}

/** Decodes base64 whose letters ROT13 changed. */
function rotatedBase64(run: string): string | undefined {
  const digits = run.replace(/=+$/, "");
  return digits.length % 4 === 1
    ? undefined
    : printable(Buffer.from(rotatedLetters(digits), "base64url"));
}

function groupedHexTurned(run: string): string | undefined {
  const digits = backwards(run.replace(/[^0-9a-f]/gi, ""));
  return digits.length >= 6 && digits.length % 2 === 0
    ? printable(Buffer.from(digits, "hex"))
    : undefined;
}

function utf7Decoded(run: string): string | undefined {
  const bytes = Buffer.from(run.replace(/^\+|-$/g, ""), "base64");
  return bytes.length % 2 === 0
    ? printable(Buffer.from(bytes.swap16().toString("utf16le")))
    : undefined;
}

function percentDecoded(run: string): string | undefined {
  return printable(Buffer.from(run.replaceAll("%", ""), "hex"));
}

function entityDecoded(entity: string): string | undefined {
  const unicode = /^(?:[\\%]u\{?|U\+)([0-9a-f]+)/i.exec(entity)?.[1];
  const [, decimal, hexadecimal, name] =
    /^&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|([a-zA-Z]+));?$/.exec(entity) ?? [];
  if (name !== undefined) return namedEntities[name.toLowerCase()];
  const digits = unicode ?? hexadecimal;
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  return Number.isInteger(code) && code > 0 && code <= 0x10_ff_ff
    ? String.fromCodePoint(code)
    : undefined;
}
