import { invisibleNote } from "../html/html-text.ts";
import { boundedText, unpacked, xmlAttribute, type XmlToken, xmlTokens } from "./office-files.ts";

/** Elements whose content is not text of the document. */
const skipped = new Set([
  "text:tracked-changes",
  "office:annotation",
  "office:scripts",
  "text:index-entry-span",
]);
/** Limit on repeated blanks that are written. */
const mostBlanks = 100;

/**
 * Extracts the text of an OpenDocument text, spreadsheet or presentation (ODF 1.3 part 3). Hidden text, rows, columns
 * and sheets are left out.
 * @throws if it is not an OpenDocument file
 */
export function openDocumentText(content: Uint8Array): string {
  const xml = unpacked(content, (name) => name === "content.xml").read("content.xml");
  if (xml === undefined) throw new Error("There is no text in this document, or too much.");
  const text = boundedText();
  const hiddenStyles = new Set<string>();
  let style = "";
  let paragraphs = 0;
  let cells = 0;
  let hidden = 0;
  /** The depth in an element that is left out. */
  let skippedDepth = 0;
  for (const token of xmlTokens(xml)) {
    const { name, isEnd, isEmpty } = token;
    if (text.isFull) break;
    if (skippedDepth > 0) {
      if (name !== "" && !isEmpty) skippedDepth += isEnd ? -1 : 1;
    } else if (name === "") {
      if (paragraphs > 0) text.add(token.text);
    } else if (name === "style:style") style = xmlAttribute(token, "style:name") ?? "";
    else if (isHiding(token)) hiddenStyles.add(style);
    else if (!isEnd && !isEmpty && skipped.has(name)) skippedDepth = 1;
    else if (!isEnd && isHidden(token, hiddenStyles)) {
      hidden += 1;
      if (!isEmpty) skippedDepth = 1;
    } else if (name === "text:p" || name === "text:h") {
      paragraphs += isEmpty ? 0 : isEnd ? -1 : 1;
      if (isEnd && cells === 0) text.add("\n");
    } else if (name === "text:s")
      text.add(" ".repeat(Math.min(mostBlanks, Number(xmlAttribute(token, "text:c") ?? 1) || 1)));
    else if (name === "text:tab") text.add("\t");
    else if (name === "text:line-break") text.add("\n");
    else if (name === "table:table-cell" && !isEmpty) {
      if (isEnd) text.add(" | ");
      cells = Math.max(0, cells + (isEnd ? -1 : 1));
    } else if (name === "table:table-row" && isEnd) text.add("\n");
    else if (name === "table:table" && !isEnd && cells === 0)
      text.add(`${xmlAttribute(token, "table:name") ?? ""}\n`);
  }
  const readable = text
    .toString()
    .replace(/ \| *$/gm, "")
    .trim();
  const note = invisibleNote({ invisible: hidden });
  return [readable, note].filter((one) => one !== "").join("\n\n");
}

/** Returns whether the properties of a style hide an element that has them. */
function isHiding(token: XmlToken): boolean {
  if (token.name === "style:text-properties") return xmlAttribute(token, "text:display") === "none";
  return (
    token.name === "style:table-properties" && xmlAttribute(token, "table:display") === "false"
  );
}

function isHidden(token: XmlToken, styles: ReadonlySet<string>): boolean {
  const visibility = xmlAttribute(token, "table:visibility");
  if (visibility === "collapse" || visibility === "filter") return token.name === "table:table-row";
  const name = xmlAttribute(token, "text:style-name") ?? xmlAttribute(token, "table:style-name");
  return name !== undefined && styles.has(name);
}
