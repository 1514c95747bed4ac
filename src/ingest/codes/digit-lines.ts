import { placesOf, type TextRange } from "./text-ranges.ts";

// Most forms of codes need a digit, are on one line, and look at most at the line above and below. A form is searched only
// in lines with the sign of its matches, because most lines with digits have no code.

/** Signs of a line with a digit. A line may have a sign too many, but none is missing. */
export const lineSigns = {
  /** Capitals or digits on both sides of a blank. */
  capitalsApart: 1,
  /** Eight letters in lower case and digits in a row. */
  longLowercase: 2,
  /** A hyphen between digits. */
  dashed: 4,
  /** Six digits in a row. */
  sixDigits: 8,
  bar: 16,
  /** A digit behind the mark of a list. */
  item: 32,
  /** A capital, a blank or dot, and a digit. */
  capitalFirst: 64,
  /** A letter, a blank and a digit. */
  wordFirst: 128,
  /** A dash behind a digit. */
  dash: 256,
  /** Three signs in a row, which are capitals and digits. */
  threeSigns: 512,
  /** A dot between digits. */
  dotted: 1_024,
  /** A blank between digits. */
  digitsApart: 2_048,
  /** Nothing but short groups of letters and digits. */
  looseGroups: 4_096,
  /** Nothing but digits. */
  digitsAlone: 8_192,
  /** A letter or digit, a sign, and something directly behind it. */
  signInside: 16_384,
  /** A sign of a password behind a letter or digit. */
  signBehind: 32_768,
  /** Letters and digits with nothing or hyphens between them. */
  mixed: 65_536,
  /** A capital, a hyphen and a digit. */
  prefix: 131_072,
  /** Eighteen characters without a blank. */
  long: 262_144,
  digit: 524_288,
  /** A letter or digit of ASCII, and a sign that may separate it from others. */
  signBetween: 1_048_576,
} as const;

interface Line {
  start: number;
  end: number;
  signs: number;
}

/** Lines of a text, with the lines beside them. */
export interface SomeLines {
  text: string;
  /** Returns the position in the whole text. */
  at: (position: number) => number;
}

const none: readonly TextRange[] = [];

/** The lines of a text that have a digit. */
export class DigitLines {
  readonly #text: string;
  readonly #lines: Line[] = [];
  /** The signs of all lines. */
  #signs = 0;
  readonly #found = new Map<number, SomeLines>();

  constructor(text: string) {
    this.#text = text;
    for (let at = nextDigit(text, 0); at !== -1;) {
      const [start, end] = [startOfLine(text, at), endOfLine(text, at)];
      const signs = signsIn(text, start, end);
      this.#signs |= signs;
      this.#lines.push({ start, end, signs });
      at = nextDigit(text, end);
    }
  }

  /** Finds the matches of a pattern that needs a sign. Their places are in the whole text. */
  placesOf(pattern: RegExp, sign: number): readonly TextRange[] {
    const lines = (this.#signs & sign) === 0 ? undefined : this.#with(sign);
    if (lines === undefined) return none;
    return placesOf(pattern, lines.text).map(({ start, end }) => {
      const first = lines.at(start);
      return { start: first, end: first + end - start };
    });
  }

  #with(sign: number): SomeLines {
    const known = this.#found.get(sign);
    if (known !== undefined) return known;
    const made = withNeighbours(
      this.#text,
      this.#lines.filter(({ signs }) => (signs & sign) !== 0),
    );
    this.#found.set(sign, made);
    return made;
  }
}

function withNeighbours(text: string, lines: readonly Line[]): SomeLines {
  const parts: string[] = [];
  /** The place of each part: in the returned text, and how much further in the whole text. */
  const places: { from: number; shift: number }[] = [];
  let size = 0;
  let from = 0;
  let end = -1;
  const close = (): void => {
    if (end === -1) return;
    places.push({ from: size, shift: from - size });
    parts.push(text.slice(from, end));
    size += end - from + 1;
  };
  for (const line of lines) {
    const first = startOfLine(text, line.start - 1);
    if (end === -1 || first > end + 1) {
      close();
      from = first;
    }
    end = line.end === text.length ? line.end : endOfLine(text, line.end + 1);
  }
  close();
  return { text: parts.join("\n"), at: (position) => position + shiftAt(places, position) };
}

function shiftAt(places: readonly { from: number; shift: number }[], position: number): number {
  let [low, high] = [0, places.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((places[middle]?.from ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return places[low]?.shift ?? 0;
}

const digitFrom = /\d/g;

function nextDigit(text: string, from: number): number {
  digitFrom.lastIndex = from;
  return digitFrom.exec(text)?.index ?? -1;
}

function startOfLine(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

function endOfLine(text: string, from: number): number {
  const next = text.indexOf("\n", from);
  return next === -1 ? text.length : next;
}

const kinds = { digit: 1, capital: 2, small: 4, other: 8, blank: 16, sign: 32, loose: 64 };
const { digit, capital, small, other, blank, sign: mark, loose } = kinds;
const letters = capital | small | other;

/** The kinds of the characters of ASCII. All others may be letters. */
const kindOf = new Uint8Array(128);
for (let unit = 0; unit < 128; unit += 1) {
  const character = String.fromCharCode(unit);
  if (/\d/.test(character)) kindOf[unit] = digit;
  else if (/[A-Z]/.test(character)) kindOf[unit] = capital;
  else if (/[a-z]/.test(character)) kindOf[unit] = small;
  else if (/\s/.test(character)) kindOf[unit] = blank;
  else if (/[!#$%&*+.\-_=?@^~]/.test(character)) kindOf[unit] = mark;
  // Around groups that are alone on their line.
  if (/[ \t*"'`>-]/.test(character)) kindOf[unit] = (kindOf[unit] ?? 0) | loose;
}

const space = 0x20;
const dot = 0x2e;
const hyphen = 0x2d;
const bar = 0x7c;
/** The dashes that are not in ASCII. */
const [enDash, middleDot] = [0x2013, 0xb7];
const star = 0x2a;
const bullet = 0x2022;
const carriageReturn = 0x0d;
/** The next character separates paragraphs. */
const lineSeparator = 0x2028;
const everySign = 0x1f_ff_ff;
/** Signs at the end of a password. */
const endSigns = new Set(Array.from("!#$%&*+", (character) => character.charCodeAt(0)));
/** Signs between letters and digits of a code. */
const separators = new Set(Array.from("._~+·•–=:/-", (character) => character.charCodeAt(0)));
const longestGroup = 6;

/** Returns the signs of a line. */
function signsIn(text: string, start: number, end: number): number {
  let signs: number = lineSigns.digit;
  // The two units before, and their kinds.
  let [last, lastKind, before, beforeKind] = [0, 0, 0, 0];
  // The kinds and the length of the letters and digits of ASCII in a row, also with hyphens, and of all but blanks.
  let [run, runLength, digits, joined, unbroken] = [0, 0, 0, 0, 0];
  let [isLoose, all, count] = [true, 0, 0];
  for (let at = start; at <= end; at += 1) {
    const unit = at === end ? space : text.charCodeAt(at);
    const kind = unit < 128 ? (kindOf[unit] ?? 0) : other;
    if ((kind & (digit | capital | small)) !== 0) {
      run |= kind;
      runLength += 1;
      joined |= kind;
      if (runLength > longestGroup) isLoose = false;
      if (kind === digit) {
        digits += 1;
        count += 1;
        if (last === space) {
          if (beforeKind === digit) signs |= lineSigns.digitsApart | lineSigns.capitalsApart;
          else if (beforeKind === capital)
            signs |= lineSigns.wordFirst | lineSigns.capitalFirst | lineSigns.capitalsApart;
          else if ((beforeKind & letters) !== 0) signs |= lineSigns.wordFirst;
          else if (before === hyphen || before === star || before === bullet)
            signs |= lineSigns.item;
        } else if (last === hyphen) {
          if (beforeKind === digit) signs |= lineSigns.dashed;
          else if (beforeKind === capital) signs |= lineSigns.prefix;
        } else if (last === dot) {
          if (beforeKind === digit) signs |= lineSigns.dotted;
          else if (beforeKind === capital) signs |= lineSigns.capitalFirst;
        }
      } else {
        digits = 0;
        if (last === space && kind === capital && (beforeKind & (digit | capital)) !== 0)
          signs |= lineSigns.capitalsApart;
      }
      if (digits === 6) signs |= lineSigns.sixDigits;
      if ((joined & digit) !== 0 && joined !== digit) signs |= lineSigns.mixed;
    } else {
      if (runLength === 3 && run === (digit | capital)) signs |= lineSigns.threeSigns;
      if (runLength >= 8 && run === (digit | small)) signs |= lineSigns.longLowercase;
      all |= run;
      [run, runLength, digits] = [0, 0, 0];
      if (unit !== hyphen) joined = 0;
      if (unit === bar) signs |= lineSigns.bar;
      if (
        (unit === hyphen || unit === enDash || unit === middleDot) &&
        (lastKind === digit || (last === space && beforeKind === digit))
      )
        signs |= lineSigns.dash;
      // Patterns for a whole line begin and end there too.
      if (unit === carriageReturn || (unit & ~1) === lineSeparator) return everySign;
      if ((lastKind & (digit | capital | small)) !== 0 && separators.has(unit))
        signs |= lineSigns.signBetween;
      if ((lastKind & (digit | letters)) !== 0 && endSigns.has(unit)) signs |= lineSigns.signBehind;
      if ((kind & loose) === 0 && unit !== bullet) isLoose = false;
    }
    if ((lastKind & mark) !== 0 && (beforeKind & (digit | letters)) !== 0 && (kind & blank) === 0)
      signs |= lineSigns.signInside;
    unbroken = (kind & blank) === 0 ? unbroken + 1 : 0;
    if (unbroken === 18) signs |= lineSigns.long;
    if (at < end) [before, beforeKind, last, lastKind] = [last, lastKind, unit, kind];
  }
  if (isLoose && all !== digit) signs |= lineSigns.looseGroups;
  if (all === digit && count < 4) signs |= lineSigns.digitsAlone;
  return signs;
}
