import type { Hasher } from "../hasher.ts";
import { newPart, wholeOf } from "../reading/new-part.ts";
import { type Reading, type Span, backwards, spanOf } from "../reading/reading.ts";
import { type TrustedReading, fewWords } from "../reading/readings.ts";
import { type Token, digitsIn, isPrintable, isUnspaced, tokensOf } from "../reading/tokens.ts";
import { spokenPhrases } from "../spelling/number-words.ts";
import { phraseStarts } from "../spelling/respell.ts";
import { decodedPieces } from "./encoded-pieces.ts";
import { type Piece, toPiece } from "./piece.ts";

/** Limit on places of pieces in one text. A text with more is a table. */
const placesPerText = 24;
/** A longer part is not a piece. Characters. */
const longestPiece = 48;
/** Limit on words of a text in several lines, such as the arguments of one call. A longer one is a document. */
const mostWordsOfLines = 60;

/** Several tokens without a space between them, such as a part of an address. The scheme of a URL is left out. */
const chunkForm =
  /(?:(?<=https?:\/{0,2})|(?<!\S))(?!https?:)\S*[\p{L}\p{N}][^\s\p{L}\p{N}\p{M}]+[\p{L}\p{N}]\S*/gu;
/** Groups of digits, as in numbers of telephones and accounts. */
const groupsForm = /[\p{L}\p{N}]*\p{N}(?:[\s\-./()]{1,3}[\p{L}\p{N}]*\p{N}[\p{L}\p{N}]*)+/gu;
const mayHaveGroups = /\d[\s\-./()]{1,3}[a-z]*\d/;
const mayHaveChunks = /[^\s][^\s\p{L}\p{N}\p{M}]+[\p{L}\p{N}]/u;
const singlesForm =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[^\p{L}\p{N}]{1,3}[\p{L}\p{N}](?![\p{L}\p{N}]))+/gu;

const noDigits = { digits: "", start: undefined };

/**
 * Returns the possible pieces of codes: tokens with digits, words of a short text, parts of addresses, groups of
 * digits, runs of single characters, and decoded words, each in both directions.
 */
export function piecesIn(
  written: string,
  readings: readonly TrustedReading[],
  hasher: Hasher,
): { all: readonly Piece[]; singles: readonly Piece[] } {
  const apart = new Set<string>();
  const pieces = new Map<string, Piece>();
  const places = new Set<number>();
  const add = (whole: string, spanOfWhole: () => Span, spanOfPlace?: () => Span): void => {
    const text = whole.replace(/[^\p{L}\p{N}]/gu, "");
    if (text.length < 1 || text.length > longestPiece || pieces.has(text)) return;
    // Computed late, because the places of most readings are not needed.
    const span = spanOfWhole();
    const place = spanOfPlace === undefined ? span.start : spanOfPlace().start;
    if (places.size >= placesPerText && !places.has(place)) return;
    places.add(place);
    pieces.set(text, toPiece(text, { span, isBackwards: false, place }, hasher));
    const turned = backwards(text);
    const key = `${turned} backwards`;
    if (turned === text || pieces.has(key)) return;
    pieces.set(key, toPiece(turned, { span, isBackwards: true, place }, hasher));
  };
  const [first] = readings;
  for (const reading of readings) {
    // Decoded readings repeat most of the text, so only their codes and new words are added.
    if (reading.trust !== "plain") continue;
    if (places.size >= placesPerText) break;
    const tokens = reading.tokens();
    const part =
      reading === first || first === undefined ? wholeOf(reading) : newPart(reading, first);
    const addAll = (form: RegExp): void => {
      for (const { 0: run, index } of reading.text.matchAll(form))
        add(run, () => spanOf(reading, index, index + run.length));
    };
    const fresh = tokens.slice(part.first, part.last + 1);
    const words = tokens.length > fewWords ? inShortLines(fresh, reading, written) : fresh;
    /** Spoken digits in a row. */
    let spoken: { digits: string; start: number | undefined } = noDigits;
    for (let index = 0; index < tokens.length; index += 1) {
      const token = tokens[index];
      if (token === undefined) continue;
      const { text, start, end, hasDigit } = token;
      const isInWords = words.length > 0 && words.includes(token);
      if (!hasDigit && !isInWords) {
        spoken = noDigits;
        continue;
      }
      if (text.length === 1 && isInWords && isApart(index, reading)) apart.add(text);
      const span = (): Span => spanOf(reading, start, end);
      add(text, span);
      const said = hasDigit ? undefined : spokenPhrases.get(text);
      if (said?.length === 1) add(said, span);
      else if (said?.length === 2 || (said !== undefined && (phraseStarts.get(text) ?? 1) > 1))
        addSpokenPair(tokens, index, reading, add);
      spoken =
        said?.length === 1
          ? { digits: spoken.digits + said, start: spoken.start ?? start }
          : noDigits;
      if (spoken.digits.length > 1) {
        const first = spoken.start ?? start;
        add(spoken.digits, () => spanOf(reading, first, end));
      }
      if (!hasDigit || digitsIn(text) === text.length) continue;
      for (const run of text.matchAll(/\p{N}{2,}|\p{L}{2,}/gu))
        if (run[0].length < text.length)
          add(
            run[0],
            () => spanOf(reading, start + run.index, start + run.index + run[0].length),
            span,
          );
    }
    if (part.last < part.first) continue;
    const freshText = reading.text.slice(tokens[part.first]?.start, tokens[part.last]?.end);
    if (mayHaveChunks.test(freshText)) addAll(chunkForm);
    if (mayHaveGroups.test(freshText)) addAll(groupsForm);
    if (mayHaveSingles(reading.text, tokens)) addAll(singlesForm);
  }
  for (const { text, span } of decodedPieces(written)) {
    add(text, () => span);
    for (const token of tokensOf(text)) add(token.text, () => span);
  }
  const all = [...pieces.values()].toSorted((one, other) => one.place - other.place);
  return { all, singles: all.filter(({ text }) => apart.has(text)) };
}

/** Words of the longest number below a hundred, such as `treinta y uno`. */
const mostNumberWords = 3;

/** Adds the digits of a number with two digits that begins at a token. */
function addSpokenPair(
  tokens: readonly Token[],
  index: number,
  reading: Reading,
  add: (text: string, span: () => Span) => void,
): void {
  let phrase = "";
  let found: { digits: string; end: number } | undefined;
  for (const { text, end, hasDigit } of tokens.slice(index, index + mostNumberWords)) {
    if (hasDigit) break;
    phrase = phrase === "" ? text : `${phrase} ${text}`;
    const said = spokenPhrases.get(phrase);
    if (said?.length === 2) found = { digits: said, end };
  }
  const start = tokens[index]?.start ?? 0;
  if (found !== undefined) {
    const { digits, end } = found;
    add(digits, () => spanOf(reading, start, end));
  }
}

/** Returns the words of short lines. Each argument of a call is a line, and a short text of its own. */
export function inShortLines(
  tokens: readonly Token[],
  reading: Reading,
  written: string,
): readonly Token[] {
  if (tokens.length > mostWordsOfLines || !written.includes("\n")) return [];
  const lines = new Map<number, Token[]>();
  for (const token of tokens) {
    const { start } = spanOf(reading, token.start, token.end);
    const line = written.lastIndexOf("\n", start);
    lines.set(line, [...(lines.get(line) ?? []), token]);
  }
  return [...lines.values()].filter(({ length }) => length <= fewWords).flat();
}

/** Returns whether a space separates a token from each of its neighbours, unless those have another script. */
function isApart(index: number, reading: Reading): boolean {
  const tokens = reading.tokens();
  const [before, token, after] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  const isSpace = (start = 0, end = 0): boolean => /\s/.test(reading.text.slice(start, end));
  return (
    (before === undefined || isUnspaced(before) || isSpace(before.end, token?.start)) &&
    (after === undefined || isUnspaced(after) || isSpace(token?.end, after.start))
  );
}

/** Returns false if a text has no two single characters in a row. Most texts have none. */
function mayHaveSingles(text: string, tokens: readonly Token[]): boolean {
  // Marks are parts of tokens, and other scripts have tokens that follow each other without a separator.
  if (!isPrintable.test(text)) return true;
  return tokens.some(
    ({ text: { length } }, at) => length === 1 && tokens[at - 1]?.text.length === 1,
  );
}
