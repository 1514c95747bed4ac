/** Words of each part that are compared. In a longer text, the beginning is enough. */
const mostWords = 60_000;
const mostCharacters = mostWords * 10;
/** Consecutive word pairs that are missing from the other part. This many are a sentence that only one part has. */
const passage = 7;
/**
 * A shorter passage counts if this share of the part is missing from the other: "Pay 10 to Ann" and "Pay 900 to Eve".
 */
const most = { pairs: 4, share: 0.4 };
/**
 * Up to this many missing pairs, of words that both parts contain, are an omitted word or the joint of two passages.
 */
const rearranged = 3;
/**
 * A part of a few words differs if this share of them is missing from the other: "Yes, go ahead" and "No, please wait".
 */
const few = { words: 8, share: 0.6 };
/** The extra text that an HTML page may have, such as a footer and the texts of buttons. */
const more = { pairs: 20, share: 0.3 };

interface Missing {
  pairs: number;
  longest: number;
  of: number;
}

/**
 * Decides whether the two forms of one mail have different content, contrary to RFC 2046, section 5.1.4. Links,
 * punctuation and the order of passages are ignored.
 * @param plain the text part
 * @param page the text of the HTML part, as a reader sees it
 * @param isStub whether the text part is much shorter. It may then omit text but not add other text.
 */
export function partsDiffer(plain: string, page: string, isStub = false): boolean {
  const ours = wordsOf(withoutLinks(plain));
  const theirs = wordsOf(withoutLinks(page));
  if (ours.length === 0 || theirs.length === 0) return false;
  const own = missing(ours, theirs);
  if (own.longest >= passage) return true;
  if (own.longest >= most.pairs && own.pairs >= own.of * most.share) return true;
  if (isNegated(ours, theirs) || isNegated(theirs, ours) || hasOtherNumber(ours, theirs))
    return true;
  if (isStub) return false;
  if (ours.length <= few.words && lacking(ours, theirs) >= ours.length * few.share) return true;
  const rest = missing(theirs, ours);
  return rest.longest >= more.pairs && rest.pairs >= rest.of * more.share;
}

/**
 * Returns whether the text part has a word, figure, address or link that is not in the HTML part. Text after the
 * compared beginning counts as missing.
 * @param html the source of the HTML part, which has the targets of its links
 */
export function saysMore(plain: string, page: string, html: string): boolean {
  if (plain.length > mostCharacters) return true;
  const source = html.replaceAll("&amp;", "&").toLowerCase();
  const isLinked = finder(source, setOf(source, linkInPage));
  const own = plain.replace(link, (target) => (isLinked(target.toLowerCase()) ? " " : target));
  const ours = wordsOf(own);
  const theirs = wordsOf(page);
  const known = new Set(theirs);
  if (ours.length >= mostWords || ours.some((one) => !known.has(one))) return true;
  return missing(ours, theirs).longest >= rearranged;
}

/**
 * Returns whether the text part has a figure or a mail address that is not in the HTML part: another amount, account or
 * recipient in the same sentence.
 */
export function hasOtherFigures(plain: string, page: string, html: string): boolean {
  const shown = folded(page);
  const digits = shown.replace(/\D+/g, "");
  const isFigure = finder(digits, setOf(shown, figures, /\D+/g));
  const source = folded(html.slice(0, mostCharacters));
  const isAddress = finder(source, setOf(source, addresses, /[.-]+$/));
  const ours = folded(withoutLinks(plain.slice(0, mostCharacters)));
  for (const [figure] of ours.matchAll(figures))
    if (!isFigure(figure.replace(/\D+/g, ""))) return true;
  for (const [address] of ours.matchAll(addresses))
    if (!isAddress(address.replace(/[.-]+$/, ""))) return true;
  return false;
}

/** Limit on searches through the whole page, for passages that it contains only within longer ones. */
const mostSearches = 100;

/** Returns a test whether a text contains a passage. After `mostSearches` searches it finds nothing. */
function finder(text: string, known: ReadonlySet<string>): (passage: string) => boolean {
  let left = mostSearches;
  return (passage) => known.has(passage) || (left-- > 0 && text.includes(passage));
}

function setOf(text: string, pattern: RegExp, dropped?: RegExp): Set<string> {
  const found = new Set<string>();
  for (const [one] of text.matchAll(pattern))
    found.add(dropped === undefined ? one : one.replace(dropped, ""));
  return found;
}

const figures = /\d(?:[ .,'-]?\d){2,}/g;
const addresses = /[a-z0-9._+-]{1,64}@[a-z0-9.-]{1,253}/g;

function lacking(words: readonly string[], others: readonly string[]): number {
  const known = new Set(others);
  return words.filter((one) => !known.has(one)).length;
}

const negations = new Set(
  "not no never cannot nicht kein keine keinen nie pas jamais nunca jamás non mai não niet geen inte ikke".split(
    " ",
  ),
);
/** Words that accompany a negation: "do not", "don't", "ne ... pas". */
const besideNegations = new Set(
  "do does did don doesn didn should shouldn must mustn can will won t ne n".split(" "),
);

/** Returns whether a sentence of one text is negated in the other: "please pay" and "please do not pay". */
function isNegated(words: readonly string[], others: readonly string[]): boolean {
  const pairs = pairsOf(others);
  for (const [index, word] of words.entries()) {
    const isShort =
      word === "t" && /^(?:don|doesn|didn|shouldn|mustn|won)$/.test(words[index - 1] ?? "");
    if (!negations.has(word) && !isShort) continue;
    const skip = (from: number, step: number): string | undefined => {
      let at = from + step;
      while (besideNegations.has(words[at] ?? "")) at += step;
      return words[at];
    };
    const [before, after] = [skip(index, -1), skip(index, 1)];
    if (before === undefined || after === undefined) continue;
    const isOwn = [`${words[index - 1]} ${word}`, `${word} ${words[index + 1]}`].every((pair) =>
      pairs.has(pair),
    );
    if (!isOwn && pairs.has(`${before} ${after}`)) return true;
  }
  return false;
}

/** Returns whether both texts have the same words around another number: "pay 10 euros" and "pay 90 euros". */
function hasOtherNumber(words: readonly string[], others: readonly string[]): boolean {
  const between = new Map<string, Set<string>>();
  for (const [index, word] of others.entries()) {
    if (!number.test(word)) continue;
    const key = `${others[index - 1]} ${others[index + 1]}`;
    between.set(key, (between.get(key) ?? new Set()).add(word));
  }
  return words.some((word, index) => {
    if (!number.test(word)) return false;
    const [before, after] = [words[index - 1], words[index + 1]];
    if (before === undefined || after === undefined) return false;
    if (number.test(before) || number.test(after)) return false;
    const known = between.get(`${before} ${after}`);
    return known !== undefined && !known.has(word);
  });
}

const number = /^\p{N}+$/u;

function pairsOf(words: readonly string[]): Set<string> {
  const pairs = new Set<string>();
  for (const [index, word] of words.entries()) pairs.add(`${word} ${words[index + 1] ?? ""}`);
  return pairs;
}

function missing(words: readonly string[], others: readonly string[]): Missing {
  const pairs = pairsOf(others);
  const found: Missing = { pairs: 0, longest: 0, of: Math.max(1, words.length - 1) };
  let run = 0;
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    if (next === undefined) break;
    run = pairs.has(`${word} ${next}`) ? 0 : run + 1;
    if (run > 0) found.pairs += 1;
    found.longest = Math.max(found.longest, run);
  }
  return found;
}

/** A word in lower case. In scripts without blanks between words each character is one. */
const word =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])[\p{L}\p{N}])+/gu;

/** A link ends at a character that is not allowed in URLs, such as a blank of another script. */
const link = /\b(?:https?|mailto|ftp):(?:(?![\])>])[\p{L}\p{M}\p{N}!-~])+/giu;
/** A link in the source of a page, which also ends at a quotation mark. */
const linkInPage = /\b(?:https?|mailto|ftp):[^\s"'<>]+/g;

function withoutLinks(text: string): string {
  return text.slice(0, mostCharacters).replace(link, " ");
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

function wordsOf(text: string): string[] {
  const bare = folded(text.slice(0, mostCharacters));
  const words: string[] = [];
  for (const [one] of bare.matchAll(word)) {
    words.push(one);
    if (words.length === mostWords) break;
  }
  return words;
}
