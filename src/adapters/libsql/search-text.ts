/**
 * Scripts that are written without spaces. The tokenizer would take a whole sentence for one word, so runs of these become
 * overlapping pairs of characters, and a word of two or more is a phrase of pairs. The long-vowel mark belongs to kana.
 */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Bopomofo}\u30FC]+/gu;

/** What the tokenizer knows: the same categories as in the migration. */
const token = /[\p{L}\p{N}\p{Co}\p{Mn}\p{Mc}]/u;

/** Characters handled at one go; between two the event loop turns. */
const sliceCharacters = 100_000;

function folded(text: string): string {
  // Wide Latin letters, narrow kana, ligatures: the same word however it was typed.
  return /[^ -~\s]/.test(text)
    ? text.normalize("NFKC").replace(/[\uFE0F\u200B-\u200D]/g, "")
    : text;
}

/** `ABC` becomes `AB BC C`: the last character stands alone, so that each single one begins a token. */
function pairs(run: string): string[] {
  const characters = Array.from(run);
  return characters.map((character, index) => character + (characters[index + 1] ?? ""));
}

/** The text as the index takes it. */
export async function searchable(text: string): Promise<string> {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    const blank = text.indexOf(" ", start + sliceCharacters);
    const end =
      blank === -1 || blank > start + 2 * sliceCharacters ? start + 2 * sliceCharacters : blank;
    pieces.push(
      folded(text.slice(start, end)).replace(unspaced, (run) => ` ${pairs(run).join(" ")} `),
    );
    start = end;
  }
  return pieces.join("");
}

/** One thing to look for: a word, or what stood between quotes. */
export interface Term {
  text: string;
  isPrefix: boolean;
}

/** At most this many: more is a text, not a question, and each costs a look into the index. */
const maxTerms = 32;

/** Words and "phrases" of a query. Nothing in it is syntax but double quotes, and no query is an error. */
export function termsOf(query: string): Term[] {
  const terms: Term[] = [];
  for (const match of folded(query).matchAll(/["“”„]([^"“”„]*)["“”„]|([^\s"“”„]+)/gu)) {
    const text = match[1] ?? match[2] ?? "";
    if (token.test(text)) terms.push({ text, isPrefix: false });
  }
  const last = terms.at(-1);
  // The last word may be a beginning, but not of one letter: that would be half the dictionary.
  if (last !== undefined && last.text.length > 1 && !/["“”„]\s*$/u.test(query))
    last.isPrefix = true;
  return terms.slice(0, maxTerms);
}

/** The terms as an FTS5 expression: every one quoted, so that none can be syntax. Empty where there is nothing to find. */
export function ftsQuery(terms: readonly Term[]): string {
  return terms.map(ftsTerm).join(" AND ");
}

function ftsTerm({ text, isPrefix }: Term): string {
  let endsAlone = false;
  const words = text.replace(unspaced, (run) => {
    const all = pairs(run);
    endsAlone = all.length === 1;
    // In a question the last character is the end of a pair already; alone it could only match the end of a run.
    return ` ${(endsAlone ? all : all.slice(0, -1)).join(" ")} `;
  });
  const endsUnspaced = /\s$/.test(words);
  const quoted = `"${words.replaceAll('"', " ").trim()}"`;
  return endsUnspaced ? quoted + (endsAlone ? "*" : "") : quoted + (isPrefix ? "*" : "");
}
