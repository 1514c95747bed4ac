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

/** The columns of the index for a message, in their order. */
export function indexWords(mail: {
  subject: string;
  from: { name?: string; address: string };
  summary: string;
  body: string;
}): Promise<string[]> {
  const { subject, from, summary, body } = mail;
  return Promise.all(
    [subject, `${from.name ?? ""} ${from.address}`, summary, body].map(searchable),
  );
}

/** One thing to look for: a word, or what stood between quotes. */
export interface Term {
  text: string;
  isPrefix: boolean;
  /** Only there. */
  column?: "subject" | "sender";
}

/** Whether there is anything in it that the index could hold. */
export function hasToken(text: string): boolean {
  return token.test(folded(text));
}

/** Two letters begin a third of a dictionary, and looking through all of that took seconds. */
export function isBeginning(text: string): boolean {
  return Array.from(folded(text)).length > 2;
}

/** The groups as an FTS5 expression: every term quoted, so that none can be syntax. Empty where there is nothing to find. */
export function ftsQuery(groups: readonly (readonly Term[])[]): string {
  return groups
    .map((terms) => (terms.length === 1 ? ftsAny(terms) : `(${ftsAny(terms)})`))
    .join(" AND ");
}

/** Any of the terms. */
export function ftsAny(terms: readonly Term[]): string {
  return terms
    .map((term) =>
      term.column === undefined ? ftsTerm(term) : `{${term.column}} : ${ftsTerm(term)}`,
    )
    .join(" OR ");
}

function ftsTerm({ text, isPrefix }: Term): string {
  let endsAlone = false;
  const words = folded(text).replace(unspaced, (run) => {
    const all = pairs(run);
    endsAlone = all.length === 1;
    // In a question the last character is the end of a pair already; alone it could only match the end of a run.
    return ` ${(endsAlone ? all : all.slice(0, -1)).join(" ")} `;
  });
  const endsUnspaced = /\s$/.test(words);
  const quoted = `"${words.replaceAll('"', " ").trim()}"`;
  return endsUnspaced ? quoted + (endsAlone ? "*" : "") : quoted + (isPrefix ? "*" : "");
}
