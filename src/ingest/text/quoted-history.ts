import { headAt } from "./forwarded.ts";
import { announced, headLine } from "./forward-words.ts";
import { mailLimits } from "../pipeline/limits.ts";

/** The new text of a message, and the earlier messages that it quotes. */
export interface PartedText {
  fresh: string;
  history: string;
}

/** The line above the quoted earlier messages. */
export const historyMark = "[Earlier messages, quoted:]";

/** From this number of lines on, a quotation is too long to be answered line by line. */
const longQuote = 25;
/** The longest introduction, such as "On Monday ... Ann wrote:" with the address on a separate line. */
const introductionLines = 3;
const introductionCharacters = 400;

/**
 * Separates new text from quoted messages, so that the first page shows the new text of a long thread. Short quotations
 * between the lines of a reply stay there, because the reply needs them.
 */
export function partHistory(text: string): PartedText {
  if (text.length > mailLimits.historyCharacters) return { fresh: text, history: "" };
  const lines = text.split("\n");
  const end = earlierMessageAt(lines);
  const own = lines.slice(0, end);
  let fresh = "";
  let history = "";
  let at = 0;
  const quotes = quotesIn(own);
  const afterLast = firstOf(own.slice(quotes.at(-1)?.end ?? 0));
  for (const quote of quotes) {
    // Only a signature follows.
    const isLast = quote === quotes.at(-1) && /^(?:--\s?)?$/.test(afterLast);
    if (!isLast && quote.end - quote.start < longQuote) continue;
    const start = introductionBefore(own, quote.start, at);
    fresh += joined(own, at, start);
    if (!isLast) fresh += `[${quote.end - quote.start} quoted lines were moved to the end.]\n`;
    history += `${joined(own, start, quote.end)}\n`;
    at = quote.end;
  }
  fresh += joined(own, at, end);
  history += joined(lines, end, lines.length);
  const parted = { fresh: fresh.trim(), history: history.trim() };
  // A message that consists only of quotations is not split.
  return parted.fresh === "" ? { fresh: parted.history, history: "" } : parted;
}

function joined(lines: readonly string[], start: number, end: number): string {
  return start === end ? "" : `${lines.slice(start, end).join("\n")}\n`;
}

/**
 * Returns the line from which a program such as Outlook repeats earlier messages without quotation marks. The rest of
 * the text belongs to them.
 */
function earlierMessageAt(lines: readonly string[]): number {
  let tries = 0;
  for (const [index, line] of lines.entries()) {
    const trimmed = line.trim();
    if (announced(trimmed)?.kind === "original") return index;
    if (tries >= mailLimits.forwardTries || headLine(trimmed)?.field !== "from") continue;
    tries += 1;
    const head = headAt(lines.slice(index, index + mailLimits.forwardHeadLines));
    if (!head.has("date") || !(head.has("subject") || head.has("to"))) continue;
    const above = lines[index - 1]?.trim() ?? "";
    return /^[_-]{5,}$/.test(above) ? index - 1 : index;
  }
  return lines.length;
}

interface Quote {
  start: number;
  /** The index after its last line. */
  end: number;
}

/** Finds runs of lines that begin with `>`, with the empty lines between them. */
function quotesIn(lines: readonly string[]): Quote[] {
  const quotes: Quote[] = [];
  let isAfterBlank = false;
  for (const [index, line] of lines.entries()) {
    const last = quotes.at(-1);
    if (line.startsWith(">")) {
      const goesOn = last?.end === index || (isAfterBlank && onlyBlank(lines, last?.end, index));
      if (last !== undefined && goesOn) last.end = index + 1;
      else quotes.push({ start: index, end: index + 1 });
    }
    isAfterBlank = line.trim() === "";
  }
  return quotes;
}

function onlyBlank(lines: readonly string[], from: number | undefined, to: number): boolean {
  // At this point, texts have at most one empty line in a row.
  return from !== undefined && to - from <= 2 && (lines[from]?.trim() ?? "") === "";
}

function firstOf(lines: readonly string[]): string {
  return lines.find((line) => line.trim() !== "") ?? "";
}

/** Finds the line above a quotation that names its author, in any language. It ends with a colon. */
function introductionBefore(lines: readonly string[], quote: number, from: number): number {
  let last = quote - 1;
  if (last >= from && lines[last]?.trim() === "") last -= 1;
  if (last < from || !/[:：]\s*$/.test(lines[last] ?? "")) return quote;
  let start = last;
  let length = lines[last]?.length ?? 0;
  while (start > from && last - start + 1 < introductionLines) {
    const first = lines[start]?.trimStart() ?? "";
    // A date or an address completes the introduction, unless the address was folded onto its own line.
    if (/[\d@]/.test(first) && !first.startsWith("<")) break;
    const above = lines[start - 1] ?? "";
    length += above.length;
    if (above.trim() === "" || above.startsWith(">") || length > introductionCharacters) break;
    start -= 1;
  }
  return start;
}
