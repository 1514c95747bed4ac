/** Words of each part that are compared; a book's rest says what its beginning says. */
const mostWords = 60_000;
/** Pairs of words in a row that are not in the other part: a sentence that is only in one of them. */
const passage = 7;
/** A shorter passage counts where so much of the part is not in the other: "Pay 10 to Ann" and "Pay 900 to Eve". */
const most = { pairs: 4, share: 0.4 };
/** A page has its footer, and the text of its buttons, beside what the plain part says. */
const more = { pairs: 20, share: 0.3 };

interface Missing {
  pairs: number;
  longest: number;
  of: number;
}

/**
 * Decides whether the two forms of one mail say different things, which RFC 2046, section 5.1.4, wants to be the same. Links,
 * marks and the order of passages do not count.
 * @param plain the text part
 * @param page the text of the page, as a reader sees it
 * @param isStub whether the text part is much shorter: it may leave out what it likes, but not say something else
 */
export function partsDiffer(plain: string, page: string, isStub = false): boolean {
  const ours = wordsOf(plain);
  const theirs = wordsOf(page);
  if (ours.length === 0 || theirs.length === 0) return false;
  const own = missing(ours, theirs);
  if (own.longest >= passage) return true;
  if (own.longest >= most.pairs && own.pairs >= own.of * most.share) return true;
  if (isStub) return false;
  const rest = missing(theirs, ours);
  return rest.longest >= more.pairs && rest.pairs >= rest.of * more.share;
}

function missing(words: readonly string[], others: readonly string[]): Missing {
  const pairs = new Set<string>();
  for (const [index, word] of others.entries()) pairs.add(`${word} ${others[index + 1] ?? ""}`);
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

/** In lower case. Where words are written without blanks, each character is one. */
const word =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])[\p{L}\p{N}])+/gu;

function wordsOf(text: string): string[] {
  const bare = text
    .slice(0, mostWords * 10)
    .replace(/\b(?:https?|mailto|ftp):[^\s\])>]+/gi, " ")
    .normalize("NFKC")
    .toLowerCase();
  const words: string[] = [];
  for (const [one] of bare.matchAll(word)) {
    words.push(one);
    if (words.length === mostWords) break;
  }
  return words;
}
