import { headLine } from "../../text/forward-words.ts";
import { belowSubject } from "./features.ts";
import { judgeLearned, type Learned, searched, type Weights } from "./find-learned.ts";
import { subjectWithoutPrefix } from "../spoken.ts";
import type { TextRange } from "../text-ranges.ts";

/** A part of a message that is judged as a message of its own. */
interface Passage {
  /** The passage's subject and text, with `belowSubject` between them. Characters of the text keep their distances. */
  whole: string;
  /** The place of its subject in the message around it. */
  subject: TextRange;
  /** The place of its text. */
  text: TextRange;
  /** Whether the message around it says nothing about its codes. */
  isOnItsOwn: boolean;
}

/** Raises the needed sum in a passage that was judged with the message around it before. Chosen by leaving out sets. */
const moreForPassage = 1.2;
/** Limit on passages of a message, to bound the time. The first ones are the newest. */
const mostPassages = 4;
/** Limit on lines of a head. */
const headLines = 12;
/** Lines with fewer fields are no head. Ordinary text has one or two. */
const leastFields = 3;

/**
 * Finds codes in a message and in the messages that it passes on, quotes or contains as a paragraph. The words of the
 * person who passes a message on say nothing about its code, but the weights would judge it by them.
 * @param subjectLength characters of the subject, at the beginning of the text
 * @param judged what the weights say about the message as a whole, and the weights
 */
export function foundWithPassages(
  text: string,
  subjectLength: number,
  { learned, weights }: { learned: Learned; weights: Weights | undefined },
): TextRange[] {
  if (!learned.isPossible) return [];
  const passages = passagesIn(text.slice(0, searched), subjectLength);
  const around = subjectWithoutPrefix(text.slice(0, subjectLength));
  // The person who passes a message on writes neither the head nor, in most mail programs, the subject.
  const isInHead = (place: TextRange, { isOnItsOwn, subject }: Passage): boolean =>
    isOnItsOwn &&
    (isWithin(place, subject) ||
      (place.end <= subjectLength && text.slice(subject.start, subject.end).trim() === around));
  const own = learned.found.filter(
    (place) =>
      !passages.some(
        (one) => isInHead(place, one) || (one.isOnItsOwn && isWithin(place, one.text)),
      ),
  );
  const found = own.concat(passages.flatMap((one) => foundIn(one, weights)));
  const paragraphs: TextRange[] = [];
  for (const place of learned.likely) {
    if (paragraphs.length === mostPassages) break;
    if ([...found, ...paragraphs].some((other) => isWithin(place, other))) continue;
    if (passages.some((one) => isInHead(place, one))) continue;
    const paragraph = paragraphOf(text, subjectLength, place);
    if (paragraph === undefined) continue;
    paragraphs.push(paragraph.text);
    found.push(...foundIn(paragraph, weights));
  }
  return found;
}

const isWithin = (place: TextRange, range: TextRange): boolean =>
  place.start >= range.start && place.end <= range.end;

/** Returns the places of codes of a passage in the message around it. */
function foundIn(passage: Passage, weights: Weights | undefined): TextRange[] {
  const { whole, subject, text, isOnItsOwn } = passage;
  const length = subject.end - subject.start;
  return judgeLearned(whole, length, weights, isOnItsOwn ? 0 : moreForPassage).found.map(
    ({ start, end }) => {
      const moved = end <= length ? subject.start : text.start - length - belowSubject.length;
      return { start: start + moved, end: end + moved };
    },
  );
}

/** The labels of a subject in the heads that mail programs write. */
const subjectLabel =
  /(?:^|\n)[> \t]*\*{0,2}(?:Subject|Betreff|Objet|Sujet|Asunto|Assunto|件名|主题|主題|主旨|标题|Oggetto|Onderwerp|Temat|Ämne|Emne)\*{0,2} ?[:：]/;

/** Finds the messages that a message passes on below a head, or quotes. */
function passagesIn(text: string, subjectLength: number): Passage[] {
  const top = subjectLength + belowSubject.length;
  const isQuoting = text.startsWith(">", top) || text.includes("\n>", top);
  if (!isQuoting && !subjectLabel.test(text)) return [];
  const lines = linesOf(text, top);
  const around = subjectWithoutPrefix(text.slice(0, subjectLength));
  const found: Passage[] = [];
  let at = 0;
  while (at < lines.length && found.length < mostPassages) {
    const head = headAt(text, lines, at);
    const isQuote = (lines[at]?.marks ?? 0) > 0;
    if (head === undefined && !isQuote) {
      at += 1;
      continue;
    }
    const start = head?.end ?? at;
    const end = endOf(text, lines, start);
    const subject = head?.subject ?? {
      start: subjectLength - around.length,
      end: subjectLength,
    };
    found.push(
      passageOf(text, { subject, isOnItsOwn: head !== undefined }, lines.slice(start, end)),
    );
    at = Math.max(end, at + 1);
  }
  return found;
}

interface Line extends TextRange {
  /** The number of characters of the quotation marks at its beginning. */
  marks: number;
}

const quoteMarks = /^[ \t]*(?:>[ \t]?)+/;

function linesOf(text: string, top: number): Line[] {
  const lines: Line[] = [];
  for (let start = top; start <= text.length;) {
    const at = text.indexOf("\n", start);
    const end = at === -1 ? text.length : at;
    lines.push({ start, end, marks: quoteMarks.exec(text.slice(start, end))?.[0].length ?? 0 });
    start = end + 1;
  }
  return lines;
}

const contentOf = (text: string, { start, end, marks }: Line): string =>
  text.slice(start + marks, end).trim();

interface Head {
  /** The place of its subject. */
  subject: TextRange;
  /** The index of the line after it. */
  end: number;
}

/** Reads the head that begins at a line. */
function headAt(text: string, lines: readonly Line[], first: number): Head | undefined {
  let [fields, end] = [0, first];
  let subject: TextRange | undefined;
  for (const [index, line] of lines.slice(first, first + headLines).entries()) {
    const content = contentOf(text, line);
    const head = headLine(content);
    if (head === undefined) {
      // A long value continues in the next line.
      if (fields === 0 || content === "") break;
      continue;
    }
    fields += 1;
    end = first + index + 1;
    if (head.field === "subject") {
      const start = text.lastIndexOf(head.value, line.end - head.value.length);
      subject = { start, end: start + head.value.length };
    }
  }
  return subject === undefined || fields < leastFields ? undefined : { subject, end };
}

/** Returns the index of the line after a passage. It ends before the next head, and with its quotation marks. */
function endOf(text: string, lines: readonly Line[], first: number): number {
  const firstWithText = lines.slice(first).find((line) => contentOf(text, line) !== "");
  const isQuoted = (firstWithText?.marks ?? 0) > 0;
  for (let at = first; at < lines.length; at += 1) {
    const line = lines[at];
    if (line === undefined || contentOf(text, line) === "") continue;
    if (isQuoted && line.marks === 0) return at;
    if (at > first && headAt(text, lines, at) !== undefined) return at;
  }
  return lines.length;
}

function passageOf(
  text: string,
  { subject, isOnItsOwn }: Pick<Passage, "subject" | "isOnItsOwn">,
  lines: readonly Line[],
): Passage {
  // Blanks instead of quotation marks keep the distances.
  const content = lines.map(
    ({ start, end, marks }) => " ".repeat(marks) + text.slice(start + marks, end),
  );
  return {
    whole: text.slice(subject.start, subject.end) + belowSubject + content.join("\n"),
    subject,
    text: { start: lines[0]?.start ?? text.length, end: lines.at(-1)?.end ?? text.length },
    isOnItsOwn,
  };
}

const blankLine = /\n[ \t]*\n/g;
/** Characters of a paragraph on each side of a place that are read. */
const paragraphCharacters = 2_000;

/** Returns the paragraph of a place, or undefined if the message has nothing else. */
function paragraphOf(text: string, subjectLength: number, place: TextRange): Passage | undefined {
  const top = subjectLength + belowSubject.length;
  if (place.start < top) return undefined;
  const from = Math.max(top, place.start - paragraphCharacters);
  const above = [...text.slice(from, place.start).matchAll(blankLine)].at(-1);
  const start = above === undefined ? from : from + above.index + above[0].length;
  const below = text.slice(place.end, place.end + paragraphCharacters);
  const length = below.search(blankLine);
  const end = place.end + (length === -1 ? below.length : length);
  if (start === top && end === text.length && subjectLength === 0) return undefined;
  return {
    whole: belowSubject + text.slice(start, end),
    subject: { start: 0, end: 0 },
    text: { start, end },
    isOnItsOwn: false,
  };
}
