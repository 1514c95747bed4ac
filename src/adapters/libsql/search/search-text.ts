import { spend, turn } from "../../../core/shared/event-loop.ts";
import type { MailSummary } from "../../../ports/mail/mail-store.ts";
import { folded } from "./folding.ts";
import type { Expression, Term } from "./search-expression.ts";

/**
 * Scripts without spaces. The tokenizer would read a whole sentence as one word. Runs of these scripts therefore become
 * overlapping pairs of characters, and a word of two or more is a phrase of pairs. The long-vowel mark belongs to kana.
 */
export const unspacedScripts =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Bopomofo}\\u30FC";
const unspaced = new RegExp(`[${unspacedScripts}]+`, "gu");

/** The characters of a token: the same categories as in the migration. */
const token = /[\p{L}\p{N}\p{Co}\p{Mn}\p{Mc}]/u;

/** Characters per slice. The event loop may run between slices. One character may fold into eighteen. */
const sliceCharacters = 8_000;

/** Folded characters per text. No stored text of any language has more than half of them. */
const mostIndexed = 4_000_000;

/**
 * Splits a run into pairs: `ABC` becomes `AB BC C`. The last character is alone, so that every character begins a
 * token.
 */
function pairs(run: string): string[] {
  const characters = Array.from(run);
  return characters.map((character, index) => character + (characters[index + 1] ?? ""));
}

/** Converts a text to the form that the index accepts. */
export async function searchable(text: string): Promise<string> {
  const pieces: string[] = [];
  let size = 0;
  for (let start = 0; start < text.length && size < mostIndexed;) {
    await turn();
    const middle = start + sliceCharacters;
    // Texts without spaces have line ends.
    const blank = text.slice(middle, middle + sliceCharacters).search(/\s/);
    const end = middle + (blank === -1 ? sliceCharacters : blank);
    const piece = folded(text.slice(start, end)).replace(
      unspaced,
      (run) => ` ${pairs(run).join(" ")} `,
    );
    size += piece.length;
    spend(piece.length);
    pieces.push(piece);
    start = end;
  }
  return pieces.join("");
}

/**
 * Returns the columns of the index for a message, in order. All words of an extract are in the body. The body is
 * first, because the index names the column of a word in every other one.
 */
export function indexWords(mail: {
  subject: string;
  from: { name?: string; address: string };
  summary: MailSummary | undefined;
  body: string;
  attachments: string;
}): Promise<string[]> {
  const { subject, from, summary, body, attachments } = mail;
  const written = summary?.source === "model" ? summary.text : "";
  return Promise.all(
    [body, subject, `${from.name ?? ""} ${from.address}`, written, attachments].map(searchable),
  );
}

/** The insertion of `indexWords` under the `search_id` of a row of `mail`. A condition must follow. */
export const wordsEntered =
  "INSERT INTO mail_words (rowid, body, subject, sender, summary, attachments) SELECT search_id, ?, ?, ?, ?, ? FROM mail";

/** Returns whether a text contains a token. */
export function hasToken(text: string): boolean {
  return token.test(folded(text));
}

/** Returns whether a text may be a prefix. Two letters begin a third of a dictionary, and that search took seconds. */
export function isBeginning(text: string): boolean {
  return Array.from(folded(text)).length > 2;
}

/**
 * Builds an FTS5 expression. Every term is quoted and cannot be syntax. Undefined for conditions besides words and for
 * pure negations, which FTS5 cannot express.
 */
export function ftsExpression(expression: Expression): string | undefined {
  if (expression.kind === "words") return expression.isNot ? undefined : ftsTerm(expression.term);
  if (!("of" in expression)) return undefined;
  const parts = expression.of.map(ftsExpression);
  if (parts.includes(undefined)) return undefined;
  return `(${parts.join(expression.kind === "all" ? " AND " : " OR ")})`;
}

/** Builds an expression for any of these words in attachments. Undefined if none may occur there. */
export function attachmentExpression(terms: readonly Term[]): string | undefined {
  const anywhere = terms.filter(({ column }) => column === undefined);
  return anywhere.length === 0
    ? undefined
    : `{attachments} : (${anywhere.map(ftsTerm).join(" OR ")})`;
}

function ftsTerm({ text, isPrefix, words, column }: Term): string {
  const forms = words?.map((word) => quoted(word, false)) ?? [quoted(folded(text), isPrefix)];
  const [only = ""] = forms;
  const any = forms.length === 1 ? only : `(${forms.join(" OR ")})`;
  return column === undefined ? any : `{${column}} : ${any}`;
}

function quoted(text: string, isPrefix: boolean): string {
  let endsAlone = false;
  const words = text.replace(unspaced, (run) => {
    const all = pairs(run);
    endsAlone = all.length === 1;
    // In a query the last character already ends a pair. Alone it could match only the end of a run.
    return ` ${(endsAlone ? all : all.slice(0, -1)).join(" ")} `;
  });
  const endsUnspaced = /\s$/.test(words);
  const inQuotes = `"${words.replaceAll('"', " ").trim()}"`;
  return endsUnspaced ? inQuotes + (endsAlone ? "*" : "") : inQuotes + (isPrefix ? "*" : "");
}
