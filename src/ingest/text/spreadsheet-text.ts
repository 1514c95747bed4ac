import { invisibleNote } from "../html/html-text.ts";
import {
  boundedText,
  isOn,
  type OfficeFiles,
  unpacked,
  xmlAttribute,
  xmlTokens,
} from "./office-files.ts";
import { mailLimits } from "../pipeline/limits.ts";

const wanted =
  /^xl\/(?:workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|styles\.xml|worksheets\/[^/]+\.xml)$/;

/**
 * Extracts the values of a workbook (ECMA-376 part 1, 18.3): a line per row, cells separated by bars. Hidden sheets,
 * rows and columns are left out.
 * @throws if it is not a workbook
 */
export function spreadsheetText(content: Uint8Array): string {
  const files = unpacked(content, (name) => wanted.test(name));
  const workbook = files.read("xl/workbook.xml");
  if (workbook === undefined) throw new Error("There is no workbook in this file, or too much.");
  const targets = targetsIn(files.read("xl/_rels/workbook.xml.rels") ?? "");
  const strings = sharedStrings(files.read("xl/sharedStrings.xml") ?? "");
  const dates = dateStyles(files.read("xl/styles.xml") ?? "");
  const text = boundedText();
  let hidden = 0;
  for (const token of xmlTokens(workbook)) {
    if (token.name !== "sheet" || token.isEnd || text.isFull) continue;
    const path = targets.get(xmlAttribute(token, "r:id") ?? "");
    const sheet = path === undefined ? undefined : files.read(path);
    if (sheet === undefined) continue;
    if (isOn(xmlAttribute(token, "state")?.replace("visible", "off"))) {
      hidden += 1;
      continue;
    }
    text.add(`${xmlAttribute(token, "name") ?? "Sheet"}\n`);
    hidden += addRows(sheet, { strings, dates, text });
    text.add("\n");
  }
  return [text.toString().trim(), leftOutNote(files), invisibleNote({ invisible: hidden })]
    .filter((one) => one !== "")
    .join("\n\n");
}

function leftOutNote({ leftOut }: OfficeFiles): string {
  return leftOut.length === 0
    ? ""
    : "[Left out: parts of this file are too large to be read here.]";
}

function targetsIn(rels: string): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  for (const token of xmlTokens(rels)) {
    const target = xmlAttribute(token, "Target");
    if (token.name !== "Relationship" || target === undefined) continue;
    const path = target.startsWith("/") ? target.slice(1) : `xl/${target}`;
    targets.set(xmlAttribute(token, "Id") ?? "", path);
  }
  return targets;
}

/** Returns the shared texts, to which cells refer by number. Phonetic readings of Chinese characters are left out. */
function sharedStrings(xml: string): string[] {
  const strings: string[] = [];
  let isText = false;
  let readings = 0;
  for (const { name, isEnd, isEmpty, text } of xmlTokens(xml)) {
    if (name === "si" && !isEnd) strings.push("");
    else if (name === "rPh") readings += isEnd ? -1 : 1;
    else if (name === "t") isText = !isEnd && !isEmpty;
    else if (name === "" && isText && readings === 0 && strings.length > 0)
      strings.push((strings.pop() ?? "") + text);
  }
  // Trimmed once, because many cells may refer to one long text of blanks.
  return strings.map((one) => one.trim());
}

/** The numbers of the built-in date formats (18.8.30). */
const dateFormats = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);

/** Returns the styles of cells that show a number as a date. */
function dateStyles(xml: string): ReadonlySet<number> {
  const formats = new Set(dateFormats);
  const styles = new Set<number>();
  let isCells = false;
  let count = 0;
  for (const token of xmlTokens(xml)) {
    if (token.name === "numFmt") {
      const code = (xmlAttribute(token, "formatCode") ?? "").replace(/"[^"]*"|\\.|\[[^\]]*\]/g, "");
      if (/[ymdhs]/i.test(code)) formats.add(Number(xmlAttribute(token, "numFmtId")));
    } else if (token.name === "cellXfs") isCells = !token.isEnd;
    else if (token.name === "xf" && isCells && !token.isEnd) {
      if (formats.has(Number(xmlAttribute(token, "numFmtId")))) styles.add(count);
      count += 1;
    }
  }
  return styles;
}

interface Book {
  strings: readonly string[];
  dates: ReadonlySet<number>;
  text: ReturnType<typeof boundedText>;
}

/** Limit on empty cells that are written between others. */
const mostGaps = 20;
const mostColumns = 16_384;

/** Adds the rows of a sheet. Returns the number of hidden passages. */
function addRows(sheet: string, { strings, dates, text }: Book): number {
  const hiddenColumns = new Uint8Array(mostColumns + 1);
  let hidden = 0;
  let isHiddenRow = false;
  let isValue = false;
  let type = "";
  let style = 0;
  let column = 0;
  let value = "";
  /** The formula, which is shown if no program computed the value. */
  let formula = "";
  let isFormula = false;
  let cells: string[] = [];
  /** The number of characters of the row. One long text may occur in it many times. */
  let length = 0;
  for (const token of xmlTokens(sheet)) {
    const { name, isEnd, isEmpty } = token;
    if (text.isFull) return hidden;
    if (name === "") {
      if (isValue) value += token.text;
      if (isFormula) formula += token.text;
    } else if (name === "col") {
      const from = Number(xmlAttribute(token, "min"));
      const to = Number(xmlAttribute(token, "max"));
      if (isOn(xmlAttribute(token, "hidden"))) hiddenColumns.fill(1, from, to + 1);
    } else if (name === "row" && !isEnd) {
      isHiddenRow = isOn(xmlAttribute(token, "hidden"));
      cells = [];
      length = 0;
      column = 0;
    } else if (name === "row") {
      if (isHiddenRow && cells.length > 0) hidden += 1;
      else if (cells.length > 0) text.add(`${cells.join(" | ")}\n`);
    } else if (name === "c" && !isEnd) {
      type = xmlAttribute(token, "t") ?? "n";
      style = Number(xmlAttribute(token, "s") ?? 0);
      const next = columnOf(xmlAttribute(token, "r"), column + 1);
      const gaps = cells.length === 0 ? 0 : next - column - 1;
      for (let gap = 0; gap < Math.min(gaps, mostGaps); gap += 1) cells.push("");
      column = next;
      value = "";
      formula = "";
    } else if (name === "c") {
      const isUnseen = hiddenColumns[column] === 1;
      const known = shownValue(value, { type, isDate: dates.has(style), strings });
      const shown = value === "" && formula !== "" ? `=${formula}` : known;
      if (isUnseen && shown !== "") hidden += 1;
      else if (!isUnseen && length <= mailLimits.textBytes) {
        cells.push(shown);
        length += shown.length;
      }
    } else if (name === "f") isFormula = !isEnd && !isEmpty;
    else if (name === "v" || name === "t") isValue = !isEnd && !isEmpty;
  }
  return hidden;
}

function shownValue(
  value: string,
  { type, isDate, strings }: { type: string; isDate: boolean; strings: readonly string[] },
): string {
  if (type === "s") return strings[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (type === "n" && isDate && value !== "") return dateOf(Number(value)) ?? value;
  return value.trim();
}

const dayMs = 86_400_000;

/** Returns a day count since 1900 as a date, with a time if it has one. */
function dateOf(days: number): string | undefined {
  if (!(days >= 0 && days < 2_958_466)) return undefined;
  const text = new Date(Date.UTC(1899, 11, 30) + Math.round(days * dayMs)).toISOString();
  const [date = "", time = ""] = text.slice(0, 16).split("T");
  if (days < 1) return time;
  return time === "00:00" ? date : `${date} ${time}`;
}

/** Returns the number of a column from the name of a cell, such as `AB12`. */
function columnOf(cell: string | undefined, next: number): number {
  const [letters = ""] = /^[A-Z]{1,3}/.exec(cell ?? "") ?? [];
  if (letters === "") return next;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return Math.min(mostColumns, column);
}
