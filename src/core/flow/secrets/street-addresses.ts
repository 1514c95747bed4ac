import { weightOf } from "../reading/frequent-words.ts";
import type { Token } from "../reading/tokens.ts";

// Streets with a house number, which is too short to be a code alone. The spelling is that of `normalised`.

const houseNumber = /^\d{1,4}[a-z]?$/;
/** Streets in one word, before the number: `lindenallee 48`. */
const compound =
  /(?:strasse|str|allee|gasse|weg|platz|ring|damm|ufer|chaussee|stieg|steig|pfad|twiete|zeile|promenade|gracht|straat|laan|plein|kade|dijk|steeg|singel|pad|dreef|hof|vagen|gatan|vej)$/;
/** The same for words that often are other things. The number must then end a line, a part of a sentence or an address. */
const weakCompound =
  /(?:feld|kamp|graben|garten|anger|park|winkel|bogen|wall|berg|rain|markt|weide|baan|wei|hout)$/;
const endsAddress = /^(?:[.,;:)]|\s*$|\n| ?\d{4,5}(?!\d)| in )/;
/** A word in no list of frequent words. */
const unknown = 1;
/** The first word of a street that comes before the number, as in Italian, Spanish and Portuguese. */
const startsBefore =
  /^(?:via|viale|corso|piazza|vicolo|calle|avenida|avda|plaza|paseo|camino|rua|travessa|largo|praca|ulica)$/;
/** The first word of a street that comes after the number, as in French. */
const startsAfter = /^(?:rue|avenue|boulevard|bd|allee|chemin|impasse|place|quai|route|cours)$/;
/** The last word of a street that comes after the number, as in English. */
const endsAfter =
  /^(?:street|st|road|rd|lane|avenue|ave|terrace|close|drive|court|gardens|crescent|grove|mews|square|way|boulevard|blvd|row|hill|place)$/;
/** Words that say that an address follows, in whichever form. */
const addressNamed =
  /(?<!\p{L})(?:address|adress[ae]?|adres|anschrift|direccion|indirizzo|morada|endereco|wohn(?:t|en|haft)?|li(?:ves?|ving)|habiten?t?|vive[ns]?|abit[ao]|mora[mn]?|woont|wonen)(?!\p{L})[^.!?\n\d]{0,25}$/u;
const mostNamed = 60;
/** Words of such a street without a usual ending. */
const mostOfNamed = 3;
const betweenWords = /^(?:[ '’-]|[.,] ?|, n[.º]? ?)$/;
const mostWords = 5;
const mostAfter = 8;
const shortestCompound = 6;
/** A street of frequent words, such as a high street, is in many towns. */
const leastWeight = 0.55;

/** Returns the tokens of each street with its number. */
export function addressesIn(plain: string, tokens: readonly Token[]): Token[][] {
  const found: Token[][] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token?.hasDigit || !houseNumber.test(token.text)) continue;
    const before = connected(plain, tokens, at, -1);
    const after = connected(plain, tokens, at, 1);
    const own =
      streetBefore(before) ??
      streetAfter(after) ??
      weakBefore(before, plain.slice(token.end, token.end + mostAfter));
    const street = own?.some(({ text }) => weightOf(text) >= leastWeight)
      ? own
      : streetNamed(plain, own, before, token);
    if (street !== undefined)
      found.push([...street, token].toSorted((one, other) => one.start - other.start));
  }
  return found;
}

/**
 * Returns the street of an address that the words before it name. Its words may be frequent, or it has no usual ending.
 * @param own the words of a street with a usual form. Undefined if there is none
 */
function streetNamed(
  plain: string,
  own: readonly Token[] | undefined,
  before: readonly Token[],
  number: Token,
): readonly Token[] | undefined {
  const rare = before
    .slice(0, mostOfNamed)
    .findLastIndex(({ text }) => weightOf(text) >= leastWeight);
  const street =
    own ?? (weightOf(before[0]?.text ?? "") >= leastWeight ? before.slice(0, rare + 1) : []);
  if (street.length === 0) return undefined;
  const start = Math.min(number.start, ...street.map((word) => word.start));
  return addressNamed.test(plain.slice(Math.max(0, start - mostNamed), start)) ? street : undefined;
}

/** Returns the words beside a number, the nearest first. */
function connected(plain: string, tokens: readonly Token[], number: number, step: 1 | -1): Token[] {
  const words: Token[] = [];
  for (let at = number + step; words.length < mostWords; at += step) {
    const [last, next] = [tokens[at - step], tokens[at]];
    if (last === undefined || next === undefined || next.hasDigit) break;
    const gap = plain.slice(Math.min(last.end, next.end), Math.max(last.start, next.start));
    if (!betweenWords.test(gap)) break;
    words.push(next);
  }
  return words;
}

/** Returns the street before a number. @param words the words before it, the last first */
function streetBefore(words: readonly Token[]): Token[] | undefined {
  const [last, other] = words;
  if (last !== undefined && compound.test(last.text)) {
    if (last.text.length >= shortestCompound && last.text !== "strasse") return [last];
    if (other !== undefined) return [other, last];
  }
  const start = words.findIndex(({ text }) => startsBefore.test(text));
  return start > 0 ? words.slice(0, start + 1) : undefined;
}

/** Returns a street in one word that may be another thing. @param rest the text after the number */
function weakBefore([last]: readonly Token[], rest: string): Token[] | undefined {
  return last !== undefined &&
    last.text.length >= shortestCompound &&
    weakCompound.test(last.text) &&
    weightOf(last.text) >= unknown &&
    endsAddress.test(rest)
    ? [last]
    : undefined;
}

/** Returns the street after a number. @param words the words after it, the first first */
function streetAfter(words: readonly Token[]): Token[] | undefined {
  const start = words.findIndex(({ text }) => startsAfter.test(text));
  if (start === 0 || (start === 1 && /^(?:bis|ter)$/.test(words[0]?.text ?? "")))
    return words.length > start + 1 ? [...words] : undefined;
  const end = words.findIndex(({ text }) => endsAfter.test(text));
  return end > 0 && end < mostWords - 1 ? words.slice(0, end + 1) : undefined;
}
