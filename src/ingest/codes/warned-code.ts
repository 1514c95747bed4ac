import { Beginnings } from "./beginnings.ts";
import { conceptNames } from "./learned/concepts.ts";
import { TextWords } from "./learned/words.ts";
import { alignedLowerCase } from "./text-forms.ts";
import type { TextRange } from "./text-ranges.ts";

/** Names of codes in lower case, also as the end of a compound such as `buurtapp-code`. */
const names = "code|código|codigo|codice|kod|otp|pin|passcode|cód\\.|cod\\.";
const beginnings = new Beginnings(names.replaceAll("\\.", "").split("|"), {
  // Every code has a digit, which is a sign of its own.
  least: Number.POSITIVE_INFINITY,
});
/** The rest of the name, a verb or a colon, and the value: `code for Lyftly is 4482`. */
const sentence = new RegExp(
  String.raw`(?:${names})(?: [^\n\d.!?:：]{1,40}?)?(?: (?:is|ist|lautet|est|es|é|è|to|luidt) | ?[:：] ?)["'“„«*]{0,2}(?:\d{4,8}|\d{3}[ -]\d{3})(?![\w%@€$£]|[.,:/-]\d| ?(?:€|\$|£|%|eur|usd))`,
  "uy",
);
const valueAtEnd = /(?:\d{4,8}|\d{3}[ -]\d{3})$/;

const give =
  "share|give|tell|disclose|weiter|teil|verrat|nenn|partage|communi|donne|divulg|transf|compart|revel|partilh|condivid|comunic|rivel|inoltr|delen|deel|geef|door|udost|podawa|przekaz";
const never =
  "do not|don['’]?t|never|nicht|niemals?|nie(?:mand)?|keine[mr]|ne|n['’]|jamais|no|nunca|não|nao|ninguém|non|mai|niet|nooit|nikomu";
/** A warning not to share: a denial and a word of giving, at most a few words apart, in either order. */
const warning = new RegExp(
  String.raw`(?<!\p{L})(?:${never})(?!\p{L})[^\n.!?]{0,24}(?<!\p{L})(?:${give})|(?<!\p{L})(?:${give})[^\n.!?]{0,30}(?<!\p{L})(?:${never})(?!\p{L})`,
  "u",
);
/** Characters on each side of a code in which its warning is. */
const nearCharacters = 90;
/** Warnings of fraud have examples of codes. */
const example = /voorbeeld|example|exemple|beispiel|ejemplo|esempio|exemplo|przykład/;
/** Codes of lockers have such a warning too, but stay readable. */
const otherPlaces = new Set(["door", "pickup"].map((name) => conceptNames.indexOf(name)));

/**
 * Finds codes that are named and beside a warning not to share them, as text messages have. People quote such a message
 * among others, by which the learned weights would judge it.
 * @param subjectLength characters of the subject, at the beginning of the text
 */
export function warnedCodes(text: string, subjectLength: number): TextRange[] {
  const named = beginnings.placesOf(sentence, text);
  if (named.length === 0) return [];
  const small = alignedLowerCase(text);
  const words = new TextWords(text);
  const isElsewhere = (range: TextRange): boolean =>
    words.in(range).some(({ concepts }) => concepts.some((concept) => otherPlaces.has(concept)));
  return named.flatMap(({ start, end }) => {
    const least = Math.max(0, start - nearCharacters);
    const before = small.slice(least, start);
    if (!warning.test(`${before}. ${small.slice(end, end + nearCharacters)}`)) return [];
    if (example.test(before) || example.test(small.slice(start, end))) return [];
    if (isElsewhere({ start: 0, end: subjectLength }) || isElsewhere({ start: least, end }))
      return [];
    const code = valueAtEnd.exec(text.slice(start, end));
    return [{ start: start + (code?.index ?? 0), end }];
  });
}
