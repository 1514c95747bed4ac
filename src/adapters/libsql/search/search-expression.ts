/** One search term as typed: a word or a quoted phrase. */
export interface Term {
  text: string;
  isPrefix: boolean;
  /** All indexed words that begin with it, if known. */
  words?: readonly string[];
  /** Searches only this column. */
  column?: "subject";
}

/** A property of a message. `isNot` excludes it. */
export type Trait = { isNot: boolean } & (
  | { kind: "words"; term: Term }
  /** Any of these names or addresses, or parts of them. */
  | { kind: "from" | "to"; who: readonly string[] }
  | { kind: "attachment" }
  /** A part of an attachment's `fileWords`. */
  | { kind: "file"; wanted: string }
  /** Dated at or after this. */
  | { kind: "since"; date: Date }
);

/** The condition of a search. */
export type Expression = Trait | Joined;

export interface Joined {
  kind: "all" | "any";
  of: readonly Expression[];
}

/** Joins expressions and flattens nested ones. Undefined if there are none. */
export function joined(
  kind: Joined["kind"],
  expressions: readonly Expression[],
): Expression | undefined {
  const of = expressions.flatMap((one) => (one.kind === kind ? one.of : [one]));
  return of.length > 1 ? { kind, of } : of[0];
}

/** Adds the indexed words of prefix terms. */
export function spelledOut(expression: Expression, words: readonly string[]): Expression {
  if (expression.kind === "words")
    return expression.term.isPrefix
      ? { ...expression, term: { ...expression.term, words } }
      : expression;
  if (!("of" in expression)) return expression;
  return { ...expression, of: expression.of.map((one) => spelledOut(one, words)) };
}

/** Negates an expression. Only traits are negated, so that each can be evaluated in place. */
export function negated(expression: Expression): Expression {
  if (!("of" in expression)) return { ...expression, isNot: !expression.isNot };
  return {
    kind: expression.kind === "all" ? "any" : "all",
    of: expression.of.map(negated),
  };
}

/** Returns whether an expression consists of words only. */
export function isWords(expression: Expression): boolean {
  if ("of" in expression) return expression.of.every(isWords);
  return expression.kind === "words" && !expression.isNot;
}

/** Groups the parts that one lookup answers: all words, people of whom any must match, and people of whom none may. */
export function gathered({ kind, of }: Joined): Expression[] {
  const words = joined(kind, of.filter(isWords));
  const rest = of.filter((one) => !isWords(one));
  const gather = (field: "from" | "to"): Expression[] => {
    const isNot = kind === "all";
    const who = rest.flatMap((one) => (one.kind === field && one.isNot === isNot ? one.who : []));
    return who.length === 0 ? [] : [{ kind: field, isNot, who }];
  };
  const isGathered = (one: Expression): boolean =>
    (one.kind === "from" || one.kind === "to") && one.isNot === (kind === "all");
  return [
    ...(words === undefined ? [] : [words]),
    ...gather("from"),
    ...gather("to"),
    ...rest.filter((one) => !isGathered(one)),
  ];
}

/** Returns the conditions that must all be met. */
export function clausesOf(expression: Expression | undefined): readonly Expression[] {
  if (expression === undefined) return [];
  return expression.kind === "all" ? expression.of : [expression];
}

/** Returns the words by which a message may have been found. */
export function termsOf(expressions: readonly Expression[]): Term[] {
  return expressions.flatMap((one) => {
    if ("of" in one) return termsOf(one.of);
    return one.kind === "words" && !one.isNot ? [one.term] : [];
  });
}

/** Returns the parts of file names by which a message may have been found. */
export function filesOf(expressions: readonly Expression[]): string[] {
  return expressions.flatMap((one) => {
    if ("of" in one) return filesOf(one.of);
    return one.kind === "file" && !one.isNot ? [one.wanted] : [];
  });
}
