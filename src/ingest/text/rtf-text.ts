import { invisibleNote } from "../html/html-text.ts";
import { boundedText } from "./office-files.ts";
import { decodedText } from "../mime/charset.ts";

/** Groups whose content is not text of the document (RTF 1.9.1). */
const destinations = new Set(
  "fonttbl colortbl stylesheet info pict object generator listtable listoverridetable rsidtbl themedata colorschememapping datastore latentstyles xmlnstbl fldinst header footer headerl headerr footerl footerr filetbl revtbl pgdsctbl mmathpr wgrffmtfilter".split(
    " ",
  ),
);
/** The text of control words that are characters. */
const marks: ReadonlyMap<string, string> = new Map([
  ["par", "\n"],
  ["line", "\n"],
  ["row", "\n"],
  ["sect", "\n"],
  ["page", "\n"],
  ["cell", " | "],
  ["tab", "\t"],
  ["emdash", "—"],
  ["endash", "–"],
  ["bullet", "•"],
  ["lquote", "‘"],
  ["rquote", "’"],
  ["ldblquote", "“"],
  ["rdblquote", "”"],
]);

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
  /** The number of the letters' colour in the palette. */
  colour: number;
  isOnDark: boolean;
  /** Number of fallback characters after a Unicode character, for programs without Unicode. */
  skip: number;
}

const plain = { isHidden: false, isTiny: false, colour: 0, isOnDark: false };

/**
 * Extracts the text of an RTF document. Hidden and tiny text is left out.
 * @throws if it is not RTF
 */
export function rtfText(content: Uint8Array): string {
  const source = Buffer.from(content.buffer, content.byteOffset, content.length).toString("latin1");
  if (!source.trimStart().startsWith("{\\rtf")) throw new Error("This is not an RTF document.");
  const reader = new RtfReader();
  reader.read(source);
  return reader.text();
}

/** The colours of a document, by their numbers. The number 0 is the program's own colour. */
class Palette {
  readonly #arePale: boolean[] = [];
  #next = { isPale: true, hasColour: false };

  addComponent(value: number): void {
    this.#next = { isPale: this.#next.isPale && value >= paleFrom, hasColour: true };
  }

  /** Adds the colours that end in a text, each with a semicolon. */
  endColours(text: string): void {
    for (const _end of text.match(/;/g)?.slice(0, mostColours - this.#arePale.length) ?? []) {
      this.#arePale.push(this.#next.hasColour && this.#next.isPale);
      this.#next = { isPale: true, hasColour: false };
    }
  }

  isPale(colour: number): boolean {
    return this.#arePale[colour] === true;
  }

  isDark(colour = 0): boolean {
    return colour > 0 && !this.isPale(colour);
  }
}

/** Reads one document, piece by piece. */
class RtfReader {
  readonly #written = boundedText();
  readonly #palette = new Palette();
  readonly #groups: Group[] = [];
  #group: Group = { ...plain, isSkipped: false, skip: 1 };
  /** True directly after the start of a group, where a control word can name its destination. */
  #isFirst = false;
  #isInPalette = false;
  #isParagraphDark = false;
  #isInTable = false;
  #hasDarkCell = false;
  #codePage = "windows-1252";
  /** Bytes in the code page that are not decoded yet. */
  #bytes: number[] = [];
  /** Fallback characters that are still skipped. */
  #left = 0;
  #hiddenPassages = 0;
  #isInHiddenPassage = false;

  read(source: string): void {
    piece.lastIndex = 0;
    for (
      let match = piece.exec(source);
      match !== null && !this.#written.isFull;
      match = piece.exec(source)
    ) {
      const [, word, number, hex, symbol, bracket, text] = match;
      if (bracket === "{") {
        if (!this.#open()) break;
        continue;
      }
      if (bracket === "}") this.#close();
      else if (word !== undefined)
        piece.lastIndex += this.#control(
          word.toLowerCase(),
          number === undefined ? undefined : Number(number),
        );
      else if (symbol !== undefined) this.#symbol(symbol);
      else if (hex !== undefined) this.#byte(Number.parseInt(hex, 16));
      else if (text !== undefined) this.#plainText(text);
      this.#isFirst = symbol === "*" && this.#isFirst;
    }
    this.#flush();
  }

  text(): string {
    const readable = this.#written
      .toString()
      .replace(/ \| *$/gm, "")
      .trim();
    const note = invisibleNote({ invisible: this.#hiddenPassages });
    return [readable, note].filter((one) => one !== "").join("\n\n");
  }

  /** Begins a group, which inherits the format. Returns false if groups are nested too deeply. */
  #open(): boolean {
    if (this.#groups.length >= mostGroups) return false;
    this.#groups.push(this.#group);
    this.#group = { ...this.#group };
    this.#isFirst = true;
    return true;
  }

  #close(): void {
    this.#group = this.#groups.pop() ?? this.#group;
    this.#left = 0;
    this.#isInPalette = false;
  }

  /** Applies a control word. Returns the number of bytes after it that are not text. */
  #control(name: string, value: number | undefined): number {
    if (this.#isFirst && destinations.has(name)) {
      this.#group.isSkipped = true;
      this.#isInPalette = name === "colortbl";
    } else if (this.#isInPalette && /^(?:red|green|blue)$/.test(name))
      this.#palette.addComponent(value ?? 0);
    else if (name === "bin") return Math.max(0, value ?? 0);
    else if (name === "u" && value !== undefined) {
      this.#add(String.fromCharCode(value & 0xffff));
      this.#left = this.#group.skip;
    } else if (marks.has(name)) this.#add(marks.get(name) ?? "");
    else this.#format(name, value);
    return 0;
  }

  #format(name: string, value: number | undefined): void {
    switch (name) {
      case "v":
        this.#group.isHidden = value !== 0;
        break;
      case "fs":
        this.#group.isTiny = (value ?? 24) <= 4;
        break;
      case "plain":
        Object.assign(this.#group, plain);
        break;
      case "cf":
        this.#group.colour = value ?? 0;
        break;
      case "cb":
      case "chcbpat":
      case "highlight":
        this.#group.isOnDark = this.#palette.isDark(value);
        break;
      case "cbpat":
        this.#isParagraphDark = this.#palette.isDark(value);
        break;
      case "pard":
        [this.#isParagraphDark, this.#isInTable] = [false, false];
        break;
      case "intbl":
        this.#isInTable = true;
        break;
      case "clcbpat":
        this.#hasDarkCell ||= this.#palette.isDark(value);
        break;
      case "trowd":
        this.#hasDarkCell = false;
        break;
      case "uc":
        this.#group.skip = Math.min(10, Math.max(0, value ?? 1));
        break;
      case "ansicpg":
        if (value !== undefined) this.#codePage = `windows-${value}`;
        break;
    }
  }

  #symbol(symbol: string): void {
    if (symbol === "*" && this.#isFirst) this.#group.isSkipped = true;
    else if (symbol === "~") this.#add(" ");
    else if (symbol === "_") this.#add("-");
    else if (/[\\{}]/.test(symbol)) this.#add(symbol);
    else if (symbol === "\n" || symbol === "\r") this.#add("\n");
  }

  #byte(byte: number): void {
    if (this.#left > 0) this.#left -= 1;
    else if (!this.#group.isSkipped && !this.#isUnreadable()) this.#bytes.push(byte);
  }

  #plainText(text: string): void {
    if (this.#isInPalette) this.#palette.endColours(text);
    const line = text.replace(/[\r\n]/g, "");
    const rest = line.slice(this.#left);
    this.#left = Math.max(0, this.#left - line.length);
    if (rest !== "") this.#add(rest);
  }

  #add(text: string): void {
    if (this.#group.isSkipped) return;
    const isBlank = text.trim() === "";
    if (this.#isUnreadable()) {
      if (!isBlank && !this.#isInHiddenPassage) this.#hiddenPassages += 1;
      this.#isInHiddenPassage = true;
      return;
    }
    if (!isBlank) this.#isInHiddenPassage = false;
    this.#flush();
    this.#written.add(text);
  }

  #flush(): void {
    if (this.#bytes.length > 0)
      this.#written.add(decodedText(Uint8Array.from(this.#bytes), this.#codePage));
    this.#bytes = [];
  }

  #isUnreadable(): boolean {
    const { isHidden, isTiny, colour, isOnDark } = this.#group;
    const isOnDarkGround =
      isOnDark || this.#isParagraphDark || (this.#isInTable && this.#hasDarkCell);
    return isHidden || isTiny || (this.#palette.isPale(colour) && !isOnDarkGround);
  }
}
