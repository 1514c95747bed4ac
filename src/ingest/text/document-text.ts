import { invisibleNote } from "../html/html-text.ts";
import { isOn, unpacked, xmlAttribute, type XmlToken, xmlTokens } from "./office-files.ts";

/** The parts of a Word document with visible text, in the order of the output. */
const parts = [
  "word/document.xml",
  "word/footnotes.xml",
  "word/endnotes.xml",
  "word/comments.xml",
] as const;
const styles = "word/styles.xml";

/**
 * Extracts the text of a Word document (ECMA-376 part 1, 17.3): a line per paragraph, cells separated by bars. Hidden,
 * tiny and white text is left out.
 * @throws if it is not a Word document
 */
export function documentText(content: Uint8Array): string {
  const files = unpacked(content, (name) => name === styles || parts.some((part) => part === name));
  if (files.read(parts[0]) === undefined)
    throw new Error("There is no text in this document, or too much.");
  const hidden = hiddenStyles(files.read(styles) ?? "");
  const removed = { count: 0 };
  const texts = parts
    .map((part) => files.read(part))
    .filter((file) => file !== undefined)
    .map((file) => paragraphs(file, hidden, removed));
  const notes = files.leftOut
    .filter((name) => name !== styles)
    .map((name) => name.slice("word/".length, -".xml".length))
    .map((what) => `[Left out: the ${what} of this document are too large to be read here.]`);
  const note = invisibleNote({ invisible: removed.count });
  return [...texts, ...notes, note].filter((text) => text !== "").join("\n\n");
}

/** Smaller letters are unreadable. In half points. */
const smallest = 4;

/** The appearance of a run's letters. */
interface Ink {
  isHidden: boolean;
  isWhite: boolean;
  isShaded: boolean;
}

const plain: Ink = { isHidden: false, isWhite: false, isShaded: false };

/** Returns the appearance after a property of a run. */
function inked(ink: Ink, token: XmlToken): Ink {
  const value = xmlAttribute(token, "w:val");
  switch (token.name) {
    case "w:vanish":
      return { ...ink, isHidden: value === undefined || isOn(value) };
    case "w:sz":
      return Number(value) <= smallest ? { ...ink, isHidden: true } : ink;
    case "w:color":
      return { ...ink, isWhite: /^f[c-f]f[c-f]f[c-f]$/i.test(value ?? "") };
    case "w:shd":
    case "w:highlight":
      return { ...ink, isShaded: true };
    default:
      return ink;
  }
}

function hiddenStyles(xml: string): ReadonlySet<string> {
  const found = new Set<string>();
  let style: string | undefined;
  let ink = plain;
  for (const token of xmlTokens(xml)) {
    if (token.name === "w:style" && !token.isEnd) {
      style = xmlAttribute(token, "w:styleId");
      ink = plain;
    } else if (token.name === "w:style") {
      if (style !== undefined && ink.isHidden) found.add(style);
    } else ink = inked(ink, token);
  }
  return found;
}

/** Extracts paragraphs and cells, without deleted text (`w:delText`) and field codes (`w:instrText`). */
function paragraphs(xml: string, hidden: ReadonlySet<string>, removed: { count: number }): string {
  const written: string[] = [];
  /** Blanks that are not yet written, because trimming the whole text at each cell would take quadratic time. */
  let blanks = "";
  let tables = 0;
  let isText = false;
  let isRun = false;
  let isPassage = false;
  let ofParagraph = plain;
  let ink = plain;
  const isUnseen = (): boolean =>
    // White text in a table is kept, because cells have their own backgrounds, often from the style of the table.
    ink.isHidden || (ink.isWhite && !ink.isShaded && tables === 0);

  function add(text: string): void {
    const kept = text.trimEnd();
    if (isUnseen()) {
      if (kept !== "" && !isPassage) removed.count += 1;
      isPassage = isPassage || kept !== "";
      return;
    }
    isPassage = false;
    if (kept === "") blanks += text;
    else {
      written.push(blanks, kept);
      blanks = text.slice(kept.length);
    }
  }

  for (const token of xmlTokens(xml)) {
    const { name, isEnd, isEmpty } = token;
    if (name === "") {
      if (isText) add(token.text);
      continue;
    }
    const isStart = !isEnd && !isEmpty;
    if (name === "w:t") isText = isStart;
    else if (name === "w:tbl") tables = Math.max(0, tables + (isStart ? 1 : isEnd ? -1 : 0));
    else if (name === "w:r") {
      isRun = isStart;
      ink = ofParagraph;
    } else if (name === "w:rStyle" || name === "w:pStyle") {
      const isHidden = hidden.has(xmlAttribute(token, "w:val") ?? "");
      if (isHidden && isRun) ink = { ...ink, isHidden };
      else if (isHidden) ofParagraph = { ...ofParagraph, isHidden };
    } else if (name === "w:tab" && isEmpty && isRun) blanks += "\t";
    else if (name === "w:noBreakHyphen") add("-");
    else if ((name === "w:br" || name === "w:cr") && isEmpty) blanks += "\n";
    else if (name === "w:p") {
      if (!isStart) blanks += isEnd ? "\n" : "";
      ofParagraph = plain;
      ink = plain;
    } else if (name === "w:tc" && isEnd) {
      // The cell's last paragraph ended the line, which continues with the next cell.
      written.push(" |");
      blanks = " ";
    } else if (name === "w:tr" && isEnd && blanks === " " && written.at(-1) === " |") {
      written.pop();
      blanks = "\n";
    } else if (name === "w:tr" && isEnd) blanks += "\n";
    else if (isRun) ink = inked(ink, token);
    else if (name === "w:shd") ofParagraph = { ...ofParagraph, isShaded: true };
  }
  return written.join("").trim();
}
