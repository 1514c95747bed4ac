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
import { numberOf } from "../mail/mail-row.ts";
import { type SqlFragment, type Filter, searchFilter } from "./search-filter.ts";
import { ftsExpression } from "./search-text.ts";

/** A prefix with at most this many words is replaced by them. */
const fewEndings = 4;

/** A word in the subject has the highest weight, then the sender's name, a model's summary, the body, an attachment. */
export const score = "bm25(mail_words, 1.0, 8.0, 5.0, 2.0, 0.5)";

/** Messages that have the words and pass the filter. */
export interface SearchSource {
  words: Words;
  filter: Filter;
}

/** The words of a search as index expressions. Empty without words. */
interface Words {
  all: string;
  /** The words for hits in subject or sender, and for the others. */
  head: string;
  rest: string;
}

export interface SearchPlan {
  /** The result is the union of these. Usually one, but several for alternatives that are not all words. */
  sources: readonly SearchSource[];
  /** The only source, if it has words. All results have them. */
  worded: SearchSource | undefined;
  /** The words that rank the results. Empty if the search is only a list of mail by date. */
  ranking: string;
  /** The largest number of ids by which a message is displaced. */
  mostDisplaced: number;
  /** The same, but 0 if it is too large to order messages by their dates. Their ids order them instead. */
  displaced: number;
}

/** Messages that are read to order a page. Each costs a microsecond or two. */
const mostReordered = 1_000;

/** Creates the function that converts a search to database queries. */
export function searchPlanner(database: Database, fewestMany: number) {
  const filterOf = searchFilter(database, fewestMany);

  return async function planOf(
    search: MailSearch,
    expression: Expression | undefined,
  ): Promise<SearchPlan> {
    const [written, mostDisplaced] = await Promise.all([
      expression && spelled(expression),
      largestDisplacement(),
    ]);
    const clauses = [...clausesOf(written), ...fieldsOf(search)];
    const sources = await Promise.all(
      alternativesOf(clauses).map((alternative) => sourceOf(alternative, mostDisplaced)),
    );
    const [worded] = sources.filter(({ words }) => sources.length === 1 && words.all !== "");
    const terms = termsOf(clauses).map((term) => ({ kind: "words" as const, isNot: false, term }));
    const displaced = mostDisplaced > mostReordered ? 0 : mostDisplaced;
    const ranking = worded?.words.all ?? anyOf(terms);
    return { sources, worded, ranking, mostDisplaced, displaced };
  };

  async function largestDisplacement(): Promise<number> {
    const { rows } = await database.read({
      sql: "SELECT max(displaced) AS ids FROM mail WHERE displaced IS NOT NULL",
      args: [],
    });
    return numberOf(rows[0] ?? {}, "ids") ?? 0;
  }

  /**
   * Replaces a prefix by its words if they are few. The index merges all words of a prefix before it returns the first
   * hit, which for a frequent word is most of the cost.
   */
  async function spelled(expression: Expression): Promise<Expression> {
    const beginning = termsOf(clausesOf(expression)).find(({ isPrefix }) => isPrefix)?.text;
    // Only the tokenizer knows how other letters are normalised.
    if (beginning === undefined || !/^[a-z0-9]+$/i.test(beginning)) return expression;
    const word = beginning.toLowerCase();
    // Starts after the word itself, because the list counts the mail of each word.
    const { rows } = await database.read({
      sql: `SELECT term FROM mail_vocab WHERE term >= ? AND term < ? LIMIT ${fewEndings + 1}`,
      args: [`${word}0`, `${word}\u{10ffff}`],
    });
    if (rows.length > fewEndings) return expression;
    return spelledOut(expression, [word, ...rows.map(({ term }) => String(term))]);
  }

  async function sourceOf(
    clauses: readonly Expression[],
    mostDisplaced: number,
  ): Promise<SearchSource> {
    const words = wordsOf(clauses);
    const others = clauses.filter(
      (clause) => !isWords(clause) && (words.all === "" || !isWords(negated(clause))),
    );
    return { words, filter: await filterOf(others, mostDisplaced) };
  }
}

/** Returns the conditions of a search besides its query. */
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
 * Splits alternatives into searches of their own if they have all the words, because the index has no expression for
 * "words or another condition". Otherwise the words are looked up and their hits are tested.
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
  // A gathered expression has all its words in one part.
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

/** Selects ids that have the words and pass the filter. Dates are ranges of ids, which the index supports. */
export function candidatesOf(words: string, filter: Filter, also = { score: "NULL" }): SqlFragment {
  const { from, below } = filter;
  const { sql, args } = words === "" ? filter.mailCondition : filter.hitCondition;
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

/** Selects all results. With several sources, up to `most` of each, since duplicates must be detected. */
export function foundBy(
  { sources }: SearchPlan,
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

/** Orders the newest first. */
export function ordered({ sql, args }: SqlFragment, most: number): SqlFragment {
  return { sql: `${sql} ORDER BY id DESC LIMIT ?`, args: [...args, most] };
}
