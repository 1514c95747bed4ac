import { strFromU8, unzipSync } from "fflate";
import { decodeXml } from "./xml-text.ts";
import { mailLimits } from "../pipeline/limits.ts";

/** The parts of a Word document with visible text, in the order of the output. */
const parts = [
  "word/document.xml",
  "word/footnotes.xml",
  "word/endnotes.xml",
  "word/comments.xml",
] as const;

/**
 * Extracts the text of a Word document (ECMA-376 part 1, 17.3): a line per paragraph, cells separated by bars.
 * @throws if it is no Word document
 */
export function documentText(content: Uint8Array): string {
  let left: number = mailLimits.unzippedBytes;
  const leftOut = new Set<string>();
  const taken = new Set<string>();
  const files = unzipSync(content, {
    // A small file may unpack to gigabytes. Only parts whose size in the directory is small are unpacked.
    filter: ({ name, originalSize }) => {
      // A directory may list the same part 65 000 times, and each entry would be unpacked.
      if (!parts.some((part) => part === name) || taken.has(name)) return false;
      taken.add(name);
      if (originalSize > left) {
        leftOut.add(name.slice("word/".length, -".xml".length));
        return false;
      }
      left -= originalSize;
      return true;
    },
  });
  const main = files[parts[0]];
  if (main === undefined) throw new Error("There is no text in this document, or too much.");
  const texts = parts
    .map((part) => files[part])
    .filter((file) => file !== undefined)
    .map((file) => paragraphs(strFromU8(file)));
  const notes = [...leftOut].map(
    (what) => `[Left out: the ${what} of this document are too large to be read here.]`,
  );
  return [...texts, ...notes].filter((text) => text !== "").join("\n\n");
}

/** Deleted text (`w:delText`) and field codes (`w:instrText`) are not text. */
const pieces =
  /<w:t(?:\s[^<>]*)?>([^<]*)<\/w:t>|<w:(tab|br|cr|noBreakHyphen)\b[^<>]*\/>|<\/w:(p|tc|tr)>/g;

function paragraphs(xml: string): string {
  const written: string[] = [];
  /** Blanks after the written text. Trimming the whole text at each cell would take quadratic time. */
  let blanks = "";
  for (const [, words, mark, end] of xml.matchAll(pieces)) {
    if (words !== undefined) {
      const text = decodeXml(words);
      const kept = text.trimEnd();
      if (kept === "") blanks += text;
      else {
        written.push(blanks, kept);
        blanks = text.slice(kept.length);
      }
    } else if (mark === "tab") blanks += "\t";
    else if (mark === "noBreakHyphen") {
      written.push(blanks, "-");
      blanks = "";
    } else if (mark !== undefined || end === "p") blanks += "\n";
    else if (end === "tc") {
      // The cell's last paragraph ended the line, which continues with the next cell.
      written.push(" |");
      blanks = " ";
    } else if (blanks === " " && written.at(-1) === " |") {
      written.pop();
      blanks = "\n";
    } else blanks += "\n";
  }
  return written.join("").trim();
}
