import { invisibleNote } from "../html/html-text.ts";
import { boundedText } from "./office-files.ts";
import { decodedText } from "../mime/charset.ts";

/** Groups whose content is not text of the document (RTF 1.9.1). */
const destinations = new Set(
  "fonttbl colortbl stylesheet info pict object generator listtable listoverridetable rsidtbl themedata colorschememapping datastore latentstyles xmlnstbl fldinst header footer headerl headerr footerl footerr filetbl revtbl pgdsctbl mmathpr wgrffmtfilter".split(
    " ",
  ),
);
const marks: Readonly<Record<string, string>> = {
  par: "\n",
  line: "\n",
  row: "\n",
  sect: "\n",
  page: "\n",
  cell: " | ",
  tab: "\t",
  emdash: "—",
  endash: "–",
  bullet: "•",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
};

/** A control word with its number, a control symbol, a bracket, or text. */
const piece =
  /\\(?:([a-z]{1,32})(-?\d{1,10})?(?: |\r\n|\n)?|'([0-9a-f]{2})|([^a-z]))|([{}])|([^\\{}]+)/giy;
const mostColours = 1_000;
/** Deepest nesting of groups that is read. Real documents have ten levels. */
const mostGroups = 1_000;

/** Colours with at least this much red, green and blue, of 255, cannot be read on white paper. */
const paleFrom = 240;

interface Group {
  isSkipped: boolean;
  /** Hidden by `\v`. */
  isHidden: boolean;
  isTiny: boolean;
  /** The number of the letters' colour. 0 is the program's own. */
  colour: number;
  isOnDark: boolean;
  /** Number of fallback characters after a Unicode character, for programs without Unicode. */
  skip: number;
}

/**
 * Extracts the text of an RTF document. Hidden and tiny text is left out.
 * @throws if it is not RTF
 */
export function rtfText(content: Uint8Array): string {
  const source = Buffer.from(content.buffer, content.byteOffset, content.length).toString("latin1");
  if (!source.trimStart().startsWith("{\\rtf")) throw new Error("This is not an RTF document.");
  const written = boundedText();
  const groups: Group[] = [];
  const plain = { isHidden: false, isTiny: false, colour: 0, isOnDark: false };
  let group: Group = { ...plain, isSkipped: false, skip: 1 };
  /** Whether each colour of the document is pale. The first entry is empty. */
  const palette: boolean[] = [];
  let isInPalette = false;
  let isPale = true;
  let hasColour = false;
  let isParagraphDark = false;
  let isInTable = false;
  let hasDarkCell = false;
  const areCellsDark = (): boolean => isInTable && hasDarkCell;
  const isUnreadable = (): boolean => {
    if (group.isHidden || group.isTiny) return true;
    return palette[group.colour] === true && !group.isOnDark && !isParagraphDark && !areCellsDark();
  };
  const isDark = (colour = 0): boolean => colour > 0 && palette[colour] !== true;
  let codePage = "windows-1252";
  let bytes: number[] = [];
  let left = 0;
  let isFirst = false;
  let hidden = 0;
  let isPassage = false;

  const flush = (): void => {
    if (bytes.length > 0) written.add(decodedText(Uint8Array.from(bytes), codePage));
    bytes = [];
  };
  function add(text: string): void {
    if (group.isSkipped) return;
    if (isUnreadable()) {
      if (text.trim() !== "" && !isPassage) hidden += 1;
      isPassage = true;
      return;
    }
    if (text.trim() !== "") isPassage = false;
    flush();
    written.add(text);
  }

  /** Adds colours to the palette. Each ends with a semicolon. */
  function endColours(text: string): void {
    for (const _end of text.match(/;/g)?.slice(0, mostColours - palette.length) ?? []) {
      palette.push(hasColour && isPale);
      [isPale, hasColour] = [true, false];
    }
  }

  piece.lastIndex = 0;
  for (
    let match = piece.exec(source);
    match !== null && !written.isFull;
    match = piece.exec(source)
  ) {
    const [, word, number, hex, symbol, bracket, text] = match;
    if (bracket === "{") {
      if (groups.length < mostGroups) groups.push(group);
      else break;
      group = { ...group };
      isFirst = true;
      continue;
    }
    if (bracket === "}") {
      group = groups.pop() ?? group;
      left = 0;
      isInPalette = false;
    } else if (word !== undefined) {
      const name = word.toLowerCase();
      const value = number === undefined ? undefined : Number(number);
      if (isFirst && destinations.has(name)) {
        group.isSkipped = true;
        isInPalette = name === "colortbl";
      } else if (isInPalette && /^(?:red|green|blue)$/.test(name)) {
        hasColour = true;
        isPale &&= (value ?? 0) >= paleFrom;
      } else if (name === "bin") piece.lastIndex += Math.max(0, value ?? 0);
      else if (name === "v") group.isHidden = value !== 0;
      else if (name === "fs") group.isTiny = (value ?? 24) <= 4;
      else if (name === "plain") Object.assign(group, plain);
      else if (name === "cf") group.colour = value ?? 0;
      else if (/^(?:cb|chcbpat|highlight)$/.test(name)) group.isOnDark = isDark(value);
      else if (name === "cbpat") isParagraphDark = isDark(value);
      else if (name === "pard") [isParagraphDark, isInTable] = [false, false];
      else if (name === "intbl") isInTable = true;
      else if (name === "clcbpat") hasDarkCell ||= isDark(value);
      else if (name === "trowd") hasDarkCell = false;
      else if (name === "uc") group.skip = Math.min(10, Math.max(0, value ?? 1));
      else if (name === "ansicpg" && value !== undefined) codePage = `windows-${value}`;
      else if (name === "u" && value !== undefined) {
        add(String.fromCharCode(value & 0xffff));
        left = group.skip;
      } else if (marks[name] !== undefined) add(marks[name]);
    } else if (symbol !== undefined) {
      if (symbol === "*" && isFirst) group.isSkipped = true;
      else if (symbol === "~") add(" ");
      else if (symbol === "_") add("-");
      else if (/[\\{}]/.test(symbol)) add(symbol);
      else if (symbol === "\n" || symbol === "\r") add("\n");
    } else if (hex !== undefined) {
      if (left > 0) left -= 1;
      else if (!group.isSkipped && !isUnreadable()) bytes.push(Number.parseInt(hex, 16));
    } else if (text !== undefined) {
      if (isInPalette) endColours(text);
      const line = text.replace(/[\r\n]/g, "");
      const rest = line.slice(left);
      left = Math.max(0, left - line.length);
      if (rest !== "") add(rest);
    }
    isFirst = symbol === "*" && isFirst;
  }
  flush();
  const readable = written
    .toString()
    .replace(/ \| *$/gm, "")
    .trim();
  const note = invisibleNote({ invisible: hidden });
  return [readable, note].filter((one) => one !== "").join("\n\n");
}
