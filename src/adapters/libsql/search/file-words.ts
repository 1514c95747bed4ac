import { foldedCase } from "./folding.ts";
import { unspacedScripts } from "./search-text.ts";
import { wordTable } from "../../../core/shared/text/word-table.ts";

/** The usual file extension of each type, for names without it. */
const usualEndings = wordTable<string>({
  "application/pdf": "pdf",
  "application/x-pdf": "pdf",
  "application/zip": "zip",
  "application/json": "json",
  "application/msword": "doc",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.ms-excel": "xls",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.ms-powerpoint": "ppt",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
  "application/vnd.oasis.opendocument.text": "odt",
  "application/vnd.oasis.opendocument.spreadsheet": "ods",
  "application/vnd.oasis.opendocument.presentation": "odp",
  "application/rtf": "rtf",
  "text/rtf": "rtf",
  "application/ics": "ics",
  "text/calendar": "ics",
  "text/csv": "csv",
  "text/html": "html",
  "text/plain": "txt",
  "message/rfc822": "eml",
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "gif",
});

const between = /[^\p{L}\p{N}\p{M}]+/u;
const beginsUnspaced = new RegExp(`^[${unspacedScripts}]`, "u");

function wordsIn(text: string): string[] {
  return foldedCase(text)
    .split(between)
    .filter((word) => word !== "");
}

/** Returns the text that `filename:` searches: ` the lease pdf `. */
export function fileWords({ name = "", mediaType }: { name?: string; mediaType: string }): string {
  const ending = usualEndings[mediaType.toLowerCase()];
  const words = wordsIn(name);
  const all = ending === undefined || words.includes(ending) ? words : [...words, ending];
  return all.length === 0 ? "" : ` ${all.join(" ")} `;
}

/**
 * Returns the part of `fileWords` that a name must contain: these words in order. The last one may continue unless it
 * was quoted. A word in a script without spaces may begin anywhere. Undefined if there is no word.
 */
export function fileWanted(value: string, isQuoted: boolean): string | undefined {
  const words = wordsIn(value);
  const [first] = words;
  if (first === undefined) return undefined;
  return `${beginsUnspaced.test(first) ? "" : " "}${words.join(" ")}${isQuoted ? " " : ""}`;
}
