import { withoutInvisible } from "../../core/shared/text/clean-text.ts";

/** The margin of an answer. The program's own lines begin in the first column. */
const answerMargin = { first: "  ", next: "  " };
/** The margin of a line that quotes a model and is too long. It is wider than that of an answer. */
const ownMargin = { first: "", next: "    " };
/** A tab could end anywhere, so it becomes spaces. */
const tab = "    ";
/** Used if the terminal names no width. Columns. */
const usualColumns = 80;
/** A narrower terminal cannot keep the answer apart. Columns. */
const leastColumns = 8;

/** Characters that are two columns wide, or may be. A line that breaks early is harmless. */
const wide =
  /[\u1100-\u115F\u2329\u232A\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\uFE10-\uFE6F\uFF00-\uFFE6]|[\u{16FE0}-\u{3FFFD}]|\p{Emoji_Presentation}|\p{Extended_Pictographic}/u;
/** Words whose width every terminal agrees on: Latin, Greek, Cyrillic. */
const ofKnownWidth = /^[\u0021-\u007E\u00A1-\u02FF\u0370-\u052F]+$/;
const withoutWidth = /^(?:\p{Mn}|\p{Me}|\u200C|\u200D|\uFE0F)$/u;

interface Screen {
  /** Returns the present width. */
  columns: () => number | undefined;
  /** False if the terminal understands no control sequences. Words are then broken anywhere. */
  canErase: boolean;
}

export interface ScreenText {
  /** Returns what is written for one more piece. */
  add(piece: string): string;
  /** Begins a new text. Returns whether the last line was begun. */
  end(): boolean;
}

/**
 * Indents each line of an answer and breaks it before the terminal does. The rest of a line that the terminal breaks is
 * in the first column, and could look like a line of the program.
 */
export function createScreenText(screen: Screen): ScreenText {
  const text = createText(screen, answerMargin);
  return {
    ...text,
    add: (piece) => text.add(withoutInvisible(piece.replaceAll("\r", ""))),
  };
}

/** Breaks lines of the program before the terminal does. */
export function ownLines(text: string, columns: Screen["columns"]): string {
  return createText({ columns, canErase: false }, ownMargin).add(text);
}

function createText(screen: Screen, margin: { first: string; next: string }): ScreenText {
  let isBegun = false;
  let column = 0;
  /** The last word of the line, which moves to the next line if it does not fit. */
  let word = "";
  let wordColumns = 0;

  function begin(): string {
    isBegun = true;
    column = margin.first.length;
    return margin.first;
  }

  function end(): void {
    isBegun = false;
    column = wordColumns = 0;
    word = "";
  }

  function place(character: string): string {
    if (character === "\n") {
      const ended = isBegun ? "\n" : `${begin()}\n`;
      end();
      return ended;
    }
    let written = isBegun ? "" : begin();
    const width = columnsOf(character);
    const most = Math.max(leastColumns, (screen.columns() || usualColumns) - 1);
    if (column + width > most) {
      // A space between two lines is not shown.
      if (character === " ") {
        word = "";
        wordColumns = 0;
        return written;
      }
      written += broken(most);
    }
    written += character;
    column += width;
    word = character === " " ? "" : word + character;
    wordColumns = character === " " ? 0 : wordColumns + width;
    return written;
  }

  /** Begins the next line, with the begun word if it fits there. */
  function broken(most: number): string {
    const isMovable =
      screen.canErase && wordColumns < most - 2 * margin.next.length && ofKnownWidth.test(word);
    const moved = isMovable ? word : "";
    const erased = moved === "" ? "" : `\u001B[${wordColumns}D\u001B[K`;
    if (!isMovable) {
      word = "";
      wordColumns = 0;
    }
    column = margin.next.length + wordColumns;
    return `${erased}\n${margin.next}${moved}`;
  }

  return {
    add: (piece) => Array.from(piece.replaceAll("\t", tab), place).join(""),
    end: () => {
      const wasBegun = isBegun;
      end();
      return wasBegun;
    },
  };
}

function columnsOf(character: string): number {
  if (/^[ -~]$/.test(character)) return 1;
  if (withoutWidth.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
