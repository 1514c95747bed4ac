import { strFromU8, unzipSync } from "fflate";
import { decodeXml } from "./xml-text.ts";
import { mailLimits } from "./limits.ts";

/** The parts of a Word document that hold what a reader sees, in the order in which it is given. */
const parts = [
  "word/document.xml",
  "word/footnotes.xml",
  "word/endnotes.xml",
  "word/comments.xml",
] as const;

/**
 * The text of a Word document (ECMA-376 part 1, 17.3): paragraphs as lines, cells parted by a bar. Throws where it is none.
 */
export function documentText(content: Uint8Array): string {
  let left: number = mailLimits.unzippedBytes;
  const leftOut = new Set<string>();
  const files = unzipSync(content, {
    // A small file may unpack to gigabytes: what is taken is only what its own directory says is small.
    filter: ({ name, originalSize }) => {
      if (!parts.some((part) => part === name)) return false;
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
  let text = "";
  for (const [, words, mark, end] of xml.matchAll(pieces)) {
    if (words !== undefined) text += decodeXml(words);
    else if (mark === "tab") text += "\t";
    else if (mark === "noBreakHyphen") text += "-";
    else if (mark !== undefined || end === "p") text += "\n";
    // The cell's last paragraph has ended a line, which goes on with the next cell.
    else if (end === "tc") text = `${text.trimEnd()} | `;
    else text = `${text.replace(/ \| $/, "")}\n`;
  }
  return text.trim();
}
