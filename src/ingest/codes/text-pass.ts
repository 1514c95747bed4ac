// One pass over a text tells which searches may find something in it. Most mails have nothing that may be a code, and each
// pattern takes as long as the pass to tell that.

/** Signs of a text. It may have a sign too many, but none is missing. The first are also those of characters. */
export const textSigns = {
  digit: 32,
  /** A character that `halfWidth` replaces. */
  wide: 64,
  /** A Chinese or Japanese character, or another one as far behind in Unicode. */
  han: 128,
  /** Two slashes, as in a URL. */
  slashes: 65_536,
  /** A hyphen between letters. */
  hyphen: 131_072,
  /** Four capitals in a row. */
  capitals: 262_144,
} as const;

// The other bits of the kind of a character.
const letter = 256;
const capital = 512;
/** A letter of ASCII, or any character beyond it. */
const mayBeLetter = 1_024;
/** The bit behind that of a letter, so that both can be compared. */
const hyphen = mayBeLetter << 1;
const slash = 4_096;
const beyondAscii = 8_192;

const ascii = 128;
const allUnits = 65_536;
/** The first of the blocks with Chinese and Japanese characters. */
const firstHan = 0x3000;
/** Bits of the code of a letter. */
const bits = 5;
const codeMask = (1 << bits) - 1;
const digitCode = 27;
const codeBeyondAscii = 28;

/**
 * The kind of each UTF-16 unit: its code and its signs. The code is 1 to 26 for a letter of ASCII in either case, 27 for a
 * digit, 28 for a character beyond ASCII, and 0 for any other. One look into a table is faster than comparing the unit with
 * many bounds.
 */
const kinds = new Uint16Array(allUnits);
for (let unit = 0; unit < ascii; unit += 1) {
  const character = String.fromCharCode(unit);
  if (/[a-z]/i.test(character))
    kinds[unit] = (unit & codeMask) | letter | mayBeLetter | (unit < 0x60 ? capital : 0);
  else if (/\d/.test(character)) kinds[unit] = textSigns.digit | digitCode;
  else if (character === "-") kinds[unit] = hyphen;
  else if (character === "/") kinds[unit] = slash;
}
kinds.fill(beyondAscii | mayBeLetter | codeBeyondAscii, ascii, firstHan);
kinds.fill(beyondAscii | mayBeLetter | textSigns.han | codeBeyondAscii, firstHan);
// The lower case of two other characters is a letter of ASCII.
for (const [unit, small] of [
  [0x1_30, "i"],
  [0x21_2a, "k"],
] as const)
  kinds[unit] = beyondAscii | mayBeLetter | letter | (small.charCodeAt(0) & codeMask);

// A search replaces these by a blank, and `keepPass` then keeps what was read with them.
for (const blank of [0xa0, 0x20_07, 0x20_2f, 0x30_00])
  kinds[blank] = (kinds[blank] ?? 0) & ~codeMask;

/** Declares ranges of characters that are wide. */
export function addWide(ranges: readonly (readonly [first: number, last: number])[]): void {
  for (const [first, last] of ranges)
    for (let unit = first; unit <= last; unit += 1)
      kinds[unit] = (kinds[unit] ?? 0) | textSigns.wide;
}

/** Characters of a word's beginning that are looked up at once. */
const compared = 3;
/** For three characters, the number of their words in `wordsWith`. Most are not the beginning of a word. */
const table = new Uint16Array(1 << (compared * bits));

/** The beginning of words of some lists, as codes of its characters. */
interface Word {
  codes: readonly number[];
  /** The lists, as bits. */
  lists: number;
}
const wordsWith: Word[][] = [[]];
/** The lists for the first character of words that begin with no character of ASCII. Some characters share an entry. */
const otherFirsts = new Uint16Array(4_096);
/** The number of lists. */
let lists = 0;
/** Bits of an entry. */
const mostLists = 16;
/** The lists of words that no letter precedes. */
let wholeLists = 0;

/** Properties of the matches of a pattern. */
export interface ListOptions {
  /** Whether no letter precedes a match. */
  isWhole?: boolean;
}

/**
 * Adds a list of words in lower case, of at least two characters.
 * @returns the number of the list
 */
export function addList(words: readonly string[], { isWhole = false }: ListOptions = {}): number {
  const list = lists;
  if (list === mostLists) throw new Error("Too many lists of beginnings.");
  if (isWhole) wholeLists |= 1 << list;
  for (const word of words) addWord(word, 1 << list);
  lists += 1;
  return list;
}

function addWord(word: string, bit: number): void {
  if (word.charCodeAt(0) >= ascii) {
    for (const first of [word, word.toUpperCase()]) {
      const at = first.charCodeAt(0) & (otherFirsts.length - 1);
      otherFirsts[at] = (otherFirsts[at] ?? 0) | bit;
    }
    return;
  }
  if (word.length < 2) throw new Error(`A list has the beginning "${word}".`);
  const codes = Array.from({ length: word.length }, (_, at) => codeOf(word.charCodeAt(at)));
  const [first = 0, second = 0] = codes;
  // Any character may follow a word of two letters.
  for (const third of codes.length > 2 ? codes.slice(2, 3) : Array(codeMask + 1).keys()) {
    const place = (((first << bits) | second) << bits) | third;
    if (table[place] === 0) table[place] = wordsWith.push([]) - 1;
    const words = wordsWith[table[place] ?? 0];
    // Digits have one code, so numbers of one length are the same word.
    if (words?.some((one) => one.lists === bit && one.codes.join() === codes.join())) continue;
    words?.push({ codes, lists: bit });
  }
}

const codeOf = (unit: number): number => (kinds[unit] ?? 0) & codeMask;

/** The findings of the pass over a text. */
interface Pass {
  text: string;
  signs: number;
  /** The lists, as bits, whose words may begin in the text. */
  lists: number;
  /** The places where they may begin, and the lists of each place. */
  places: readonly number[];
  listsOf: readonly number[];
  /** The places of four groups of four letters. */
  groups: readonly number[];
}

let last: Pass | undefined;
/** The findings in the beginning of a long text. */
let ofBeginning: Pass | undefined;

/** Frees the last text. Otherwise the mail would stay in memory until the next one arrives. */
export function forgetPass(): void {
  last = undefined;
  ofBeginning = undefined;
}

function passOver(text: string): Pass {
  if (ofBeginning?.text === text) return ofBeginning;
  if (last?.text !== text) last = readText(text);
  return last;
}

/**
 * Declares that a text was made from another one by replacing signs by other signs, and any characters by blanks. It is not
 * read again.
 */
export function keepPass(text: string, other: string): void {
  if (last?.text === other) last = { ...last, text };
}

/** Returns the beginning of a text. It is not read again, because all signs and places of it are among those of the text. */
export function beginningOf(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const beginning = text.slice(0, characters);
  const pass = passOver(text);
  const size = pass.places.findIndex((place) => place >= characters);
  ofBeginning =
    size === -1
      ? { ...pass, text: beginning }
      : {
          ...pass,
          text: beginning,
          places: pass.places.slice(0, size),
          listsOf: pass.listsOf.slice(0, size),
          groups: pass.groups.filter((place) => place < characters),
        };
  return beginning;
}

/** Returns whether a text has one of some signs. */
export const hasSign = (text: string, signs: number): boolean =>
  (passOver(text).signs & signs) !== 0;

const none: readonly number[] = [];

/** Returns the places where words of a list may begin. */
export function startsIn(text: string, list: number): readonly number[] {
  const { lists: found, places, listsOf } = passOver(text);
  const bit = 1 << list;
  return (found & bit) === 0 ? none : places.filter((_, at) => ((listsOf[at] ?? 0) & bit) !== 0);
}

/**
 * Returns the places of four groups of four letters of ASCII in either case. Another character is behind each group, and
 * before the first one.
 */
export const groupsIn = (text: string): readonly number[] => passOver(text).groups;

/** The findings in the part of a text that was read. */
interface Reading extends Pass {
  places: number[];
  listsOf: number[];
  groups: number[];
}

/** Another character, and four groups of four letters with another character behind each, as bits. */
const [ofGroups, fourGroups] = [0x1f_ff_ff, 0b0_11110_11110_11110_11110];
/** Characters of the groups and of those between them. */
const groupsLength = 19;
const letterShift = Math.log2(letter);
/** From the kind of a character to the sign of a text. */
const slashesShift = Math.log2(textSigns.slashes / slash);
const hyphenShift = Math.log2(textSigns.hyphen / hyphen);
const capitalsShift = Math.log2(textSigns.capitals / capital);

function readText(text: string): Pass {
  const reading: Reading = { text, signs: 0, lists: 0, places: [], listsOf: [], groups: [] };
  // Reading variables of the module takes twice as long.
  const [all, others, kindOf, size] = [table, otherFirsts, kinds, text.length];
  const mask = table.length - 1;
  /** The kinds of all characters, of pairs and of four in a row, and of hyphens with those beside them. */
  let [signs, ofTwo, ofFour, ofHyphens] = [0, 0, 0, 0];
  /** Whether each of the last characters was a letter, as bits. */
  let letters = 0;
  let before = 0;
  // A look behind the end of a text makes V8 compile the function anew.
  let kind = size > 0 ? (kindOf[text.charCodeAt(0)] ?? 0) : 0;
  let next = size > 1 ? (kindOf[text.charCodeAt(1)] ?? 0) : 0;
  let recent = ((kind & codeMask) << bits) | (next & codeMask);
  // The end counts as another character.
  for (let at = 0; at <= size; at += 1) {
    const second = at + 2 < size ? (kindOf[text.charCodeAt(at + 2)] ?? 0) : 0;
    recent = ((recent << bits) | (second & codeMask)) & mask;
    signs |= kind;
    ofTwo |= kind & next;
    ofFour |= before & kind & next & second;
    ofHyphens |= ((before & next) << 1) & kind;
    letters = (letters << 1) | ((kind >> letterShift) & 1);
    if ((letters & ofGroups) === fourGroups) reading.groups.push(at - groupsLength);
    const words = all[recent] ?? 0;
    let found = words === 0 ? 0 : listsAt(text, at, wordsWith[words] ?? []);
    if ((kind & beyondAscii) !== 0) found |= others[text.charCodeAt(at) & (others.length - 1)] ?? 0;
    if (found !== 0) put(reading, at, (before & letter) === 0 ? found : found & ~wholeLists);
    before = kind;
    kind = next;
    next = second;
  }
  // Shifts take the place of conditions. V8 left its fast code again and again for one that seldom held.
  reading.signs =
    signs |
    ((ofTwo & slash) << slashesShift) |
    ((ofHyphens & hyphen) << hyphenShift) |
    ((ofFour & capital) << capitalsShift);
  return reading;
}

const codeAt = (text: string, at: number): number =>
  at < text.length ? codeOf(text.charCodeAt(at)) : 0;

/** Returns the lists of the words that begin at a place. */
function listsAt(text: string, start: number, words: readonly Word[]): number {
  let found = 0;
  for (const { codes, lists } of words) {
    let at = compared;
    while (at < codes.length && codeAt(text, start + at) === codes[at]) at += 1;
    if (at >= codes.length) found |= lists;
  }
  return found;
}

function put(reading: Reading, at: number, found: number): void {
  reading.lists |= found;
  reading.places.push(at);
  reading.listsOf.push(found);
}
