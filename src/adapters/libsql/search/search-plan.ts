import type { MailSearch } from "../../../ports/mail/mail-reader.ts";
import type { Database } from "../driver/database.ts";
import {
  clausesOf,
  type Expression,
  gathered,
  isWords,
  negated,
  spelledOut,
  termsOf,
} from "./search-expression.ts";
import { type SqlFragment, type Filter, searchFilter } from "./search-filter.ts";
import { ftsExpression } from "./search-text.ts";

/** So many words with one beginning are asked for by themselves. */
const fewEndings = 4;

/** A word in the subject weighs most, then one in the sender's name, the summary, the body, an attachment. */
export const score = "bm25(mail_words, 8.0, 5.0, 2.0, 1.0, 0.5)";

/** Messages that have the words and pass the filter. */
export interface Source {
  words: Words;
  filter: Filter;
}

/** The words of a search, as the index takes them; empty where it has none. */
interface Words {
  all: string;
  /** Those with a hit in subject or sender, and the others. */
  head: string;
  rest: string;
}

export interface Plan {
  /** What is in any of these is found. It is one, but for alternatives of which not each is a word. */
  sources: readonly Source[];
  /** The only one, where it has words: all that is found has them. */
  worded: Source | undefined;
  /** The words that rank what was found; empty where a search is but a list of mail by date. */
  ranking: string;
}

/** Makes of what is asked for what the database is to do. */
export function searchPlanner(database: Database, fewestMany: number) {
  const filterOf = searchFilter(database, fewestMany);

  return async function planOf(
    search: MailSearch,
    expression: Expression | undefined,
  ): Promise<Plan> {
    const clauses = [...clausesOf(expression && (await spelled(expression))), ...fieldsOf(search)];
    const sources = await Promise.all(alternativesOf(clauses).map(sourceOf));
    const [worded] = sources.filter(({ words }) => sources.length === 1 && words.all !== "");
    const terms = termsOf(clauses).map((term) => ({ kind: "words" as const, isNot: false, term }));
    return { sources, worded, ranking: worded?.words.all ?? anyOf(terms) };
  };

  /**
   * The index puts all that has a beginning together before it gives the first, which of a frequent word is most of a search.
   * Where it begins but few words these are asked for instead.
   */
  async function spelled(expression: Expression): Promise<Expression> {
    const beginning = termsOf(clausesOf(expression)).find(({ isPrefix }) => isPrefix)?.text;
    // What the tokenizer makes of other letters only the index knows.
    if (beginning === undefined || !/^[a-z0-9]+$/i.test(beginning)) return expression;
    const word = beginning.toLowerCase();
    // From behind the word itself: the list counts the mail of each of its words.
    const { rows } = await database.read({
      sql: `SELECT term FROM mail_vocab WHERE term >= ? AND term < ? LIMIT ${fewEndings + 1}`,
      args: [`${word}0`, `${word}\u{10ffff}`],
    });
    if (rows.length > fewEndings) return expression;
    return spelledOut(expression, [word, ...rows.map(({ term }) => String(term))]);
  }

  async function sourceOf(clauses: readonly Expression[]): Promise<Source> {
    const words = wordsOf(clauses);
    const others = clauses.filter(
      (clause) => !isWords(clause) && (words.all === "" || !isWords(negated(clause))),
    );
    return { words, filter: await filterOf(others) };
  }
}

/** The fields of a search beside its query. */
function fieldsOf({ from, after, before, hasAttachment }: MailSearch): Expression[] {
  return [
    ...(from === undefined ? [] : [{ kind: "from" as const, isNot: false, who: [from] }]),
    ...(after === undefined ? [] : [{ kind: "since" as const, isNot: false, date: after }]),
    ...(before === undefined ? [] : [{ kind: "since" as const, isNot: true, date: before }]),
    ...(hasAttachment === undefined
      ? []
      : [{ kind: "attachment" as const, isNot: !hasAttachment }]),
  ];
}

/**
 * Where all words are among alternatives, each alternative is a search by itself: the index has no expression for words or
 * something else. Else the words are looked up, and the alternatives asked of their hits.
 */
function alternativesOf(clauses: readonly Expression[]): Expression[][] {
  const open = clauses.find((clause) => clause.kind === "any" && !isWords(negated(clause)));
  if (open?.kind !== "any" || clauses.some(isWords))
    return [gathered({ kind: "all", of: clauses })];
  const others = clauses.filter((clause) => clause !== open);
  return gathered(open).map((alternative) =>
    gathered({ kind: "all", of: [...others, ...clausesOf(alternative)] }),
  );
}

function anyOf(words: readonly Expression[]): string {
  return words.map((one) => ftsExpression(one) ?? "").join(" OR ");
}

function wordsOf(clauses: readonly Expression[]): Words {
  // What is gathered has all its words in one.
  const asked = clauses.find(isWords);
  const words = asked && ftsExpression(asked);
  if (words === undefined) return { all: "", head: "", rest: "" };
  const without = anyOf(clauses.map(negated).filter(isWords));
  const not = without === "" ? "" : ` NOT (${without})`;
  const head = `({subject sender} : (${words}))`;
  return {
    all: `(${words})${not}`,
    head: `${head}${not}`,
    rest: `((${words}) NOT ${head})${not}`,
  };
}

/** Ids that have the words and pass the filter. Dates are ranges of ids, which the index itself knows. */
export function candidatesOf(words: string, filter: Filter, also = { score: "NULL" }): SqlFragment {
  const { from, below } = filter;
  const { sql, args } = words === "" ? filter.ofMail : filter.ofHit;
  const [id, place] =
    words === ""
      ? ["search_id", "mail WHERE search_id IS NOT NULL"]
      : ["rowid", "mail_words WHERE mail_words MATCH ?"];
  const range: [string, number][] = [
    [`${id} >= ?`, from],
    [`${id} < ?`, below],
  ];
  const bounds = range.filter(([, bound]) => Number.isFinite(bound));
  return {
    sql: `SELECT ${id} AS id, ${also.score} AS score FROM ${place}${bounds.map(([bound]) => ` AND ${bound}`).join("")}${sql}`,
    args: [...(words === "" ? [] : [words]), ...bounds.map(([, bound]) => bound), ...args],
  };
}

/** All that is found; of several sources so many of each, as it has to be known which are in two. */
export function foundBy(
  { sources }: Plan,
  part: keyof Words,
  most: number,
  narrowed = (filter: Filter): Filter => filter,
): SqlFragment {
  const all = sources.map(({ words, filter }) => candidatesOf(words[part], narrowed(filter)));
  const each = all.length === 1 ? all : all.map((one) => inBrackets(ordered(one, most)));
  return {
    sql: each.map(({ sql }) => sql).join(" UNION "),
    args: each.flatMap(({ args }) => args),
  };
}

function inBrackets({ sql, args }: SqlFragment): SqlFragment {
  return { sql: `SELECT * FROM (${sql})`, args };
}

/** The newest of them. */
export function ordered({ sql, args }: SqlFragment, most: number): SqlFragment {
  return { sql: `${sql} ORDER BY id DESC LIMIT ?`, args: [...args, most] };
}
