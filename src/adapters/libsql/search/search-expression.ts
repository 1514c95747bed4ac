/** One thing to look for: a word, or what stood between quotes. As it was typed. */
export interface Term {
  text: string;
  isPrefix: boolean;
  /** All that it is the beginning of, in the index, where that is known. */
  words?: readonly string[];
  /** Only there. */
  column?: "subject";
}

/** What a message has or is; with `isNot`, what it must not have or be. */
export type Trait = { isNot: boolean } & (
  | { kind: "words"; term: Term }
  /** Any of these names or addresses, or parts of them. */
  | { kind: "from" | "to"; who: readonly string[] }
  | { kind: "attachment" }
  /** A part of what `fileWords` makes of the name of an attachment. */
  | { kind: "file"; wanted: string }
  /** Dated at or after this. */
  | { kind: "since"; date: Date }
);

/** What a search asks of a message. */
export type Expression = Trait | Joined;

export interface Joined {
  kind: "all" | "any";
  of: readonly Expression[];
}

/** Several as one, with no `all` in an `all`; undefined of none. */
export function joined(
  kind: Joined["kind"],
  expressions: readonly Expression[],
): Expression | undefined {
  const of = expressions.flatMap((one) => (one.kind === kind ? one.of : [one]));
  return of.length > 1 ? { kind, of } : of[0];
}

/** With all the words that those which are a beginning begin. */
export function spelledOut(expression: Expression, words: readonly string[]): Expression {
  if (expression.kind === "words")
    return expression.term.isPrefix
      ? { ...expression, term: { ...expression.term, words } }
      : expression;
  if (!("of" in expression)) return expression;
  return { ...expression, of: expression.of.map((one) => spelledOut(one, words)) };
}

/** What all others are. Only traits are negated, so that each is seen for what it is wherever it stands. */
export function negated(expression: Expression): Expression {
  if (!("of" in expression)) return { ...expression, isNot: !expression.isNot };
  return {
    kind: expression.kind === "all" ? "any" : "all",
    of: expression.of.map(negated),
  };
}

/** True for what asks for words and for nothing else. */
export function isWords(expression: Expression): boolean {
  if ("of" in expression) return expression.of.every(isWords);
  return expression.kind === "words" && !expression.isNot;
}

/** The parts of it, those as one that are looked up at one go: words, and people of whom any fits, or none. */
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

/** All that must be met. */
export function clausesOf(expression: Expression | undefined): readonly Expression[] {
  if (expression === undefined) return [];
  return expression.kind === "all" ? expression.of : [expression];
}

/** The words that a message may have been found by. */
export function termsOf(expressions: readonly Expression[]): Term[] {
  return expressions.flatMap((one) => {
    if ("of" in one) return termsOf(one.of);
    return one.kind === "words" && !one.isNot ? [one.term] : [];
  });
}
