import { type Expression, joined, negated } from "./search-expression.ts";
import { fields, Notices, quoted, TermReader } from "./query-terms.ts";

export interface SearchQuery {
  /** Undefined for an empty query. */
  expression: Expression | undefined;
  /** The time to which relative dates refer, if there are any. */
  asOf?: Date;
  /** Sentences about unsupported parts of the query. */
  notices: readonly string[];
}

/** Nested brackets. Deeper ones are ignored. SQLite refuses conditions that are a few times as deep. */
const maxDepth = 6;

/** Operators of Gmail and others that have no meaning here, where mail has no read state, label or folder. */
const otherOperators: ReadonlySet<string> = new Set([
  ..."is in label category list deliveredto cc bcc larger smaller size rfc822msgid folder tag flag".split(
    " ",
  ),
  ..."mailbox account body date received sent importance priority kind type ext attachment read".split(
    " ",
  ),
]);

/** URL schemes, which are not operators. */
const schemes: ReadonlySet<string> = new Set(["http", "https", "ftp", "mailto", "tel", "urn"]);

/** Words that other programs read as operators between words, and what to write instead. */
const otherJoints: ReadonlyMap<string, string> = new Map([
  ["NOT", "Write -word to exclude a word."],
  ["AROUND", 'Write "a phrase" for words in order.'],
  ["NEAR", 'Write "a phrase" for words in order.'],
  ["|", "Write OR for alternatives."],
  ["||", "Write OR for alternatives."],
]);

/**
 * `-from:"Ann Lee"`: an optional minus, an optional field, and a quoted text, an opening bracket or a word. A blank may
 * follow the colon of a known field.
 */
const piecePattern = new RegExp(
  `(-?)(?:([a-z][a-z0-9_]+):(?:(?<=(?<![a-z_])(?:${[...fields].join("|")}):)\\s+)?(?=[^\\s:/]))?(?:["“”„]([^"“”„]*)["“”„]|([({])|([^\\s"“”„]+))`,
  "iuy",
);

/**
 * Parses words, "phrases", `from:`, `to:`, `subject:`, `has:attachment`, `filename:`, `before:`, `after:`,
 * `older_than:`, `newer_than:`, `-not`, `OR`, `AND`, (groups) and {alternatives}. OR binds more tightly than
 * juxtaposition. Other and incomplete parts are searched as words, with a notice about unknown operators. No query is
 * an error.
 */
export function readQuery(query: string, now: Date): SearchQuery {
  return new QueryReader(query, now).read();
}

/** A part of a query between blanks: a word, a phrase, or an opening bracket. */
interface Piece {
  isNot: boolean;
  /** The name before a colon. */
  typedField: string | undefined;
  /** Empty for a phrase or a bracket. */
  word: string;
  phrase: string | undefined;
  bracket: string | undefined;
}

class QueryReader {
  #at = 0;
  #depth = 0;
  /** Open brackets beyond the depth limit. */
  #ignoredBrackets = 0;
  readonly #query: string;
  readonly #notices = new Notices();
  readonly #terms: TermReader;

  constructor(query: string, now: Date) {
    this.#query = query;
    this.#terms = new TermReader(now, this.#notices);
  }

  read(): SearchQuery {
    const expression = this.#group("", false);
    // The last word may be a prefix unless it is quoted.
    this.#terms.openLastWord();
    const { asOf } = this.#terms;
    return { expression, ...(asOf !== undefined && { asOf }), notices: this.#notices.list() };
  }

  /** Parses up to the closing bracket or the end. */
  #group(ofField: string, isAny: boolean): Expression | undefined {
    const clauses = new Clauses(isAny);
    let isFirst = true;
    while (this.#at < this.#query.length) {
      if (/[)}]/.test(this.#query.charAt(this.#at))) {
        if (this.#closes()) break;
        continue;
      }
      const piece = this.#nextPiece();
      if (piece === undefined || this.#isTooDeep(piece)) continue;
      if (!isFirst && isJoint(piece)) {
        clauses.joinNext(piece.word === "OR");
        continue;
      }
      if (!isFirst) this.#noteOtherJoint(piece);
      isFirst = false;
      clauses.add(this.#clause(piece, ofField));
    }
    return clauses.joined();
  }

  /** Skips a closing bracket. Returns whether it ends the group. */
  #closes(): boolean {
    this.#at += 1;
    if (this.#ignoredBrackets === 0) return this.#depth > 0;
    this.#ignoredBrackets -= 1;
    return false;
  }

  /** Returns the piece at this place. Skips a blank or an unclosed quote and returns undefined. */
  #nextPiece(): Piece | undefined {
    piecePattern.lastIndex = this.#at;
    const match = piecePattern.exec(this.#query);
    if (match === null) {
      this.#at += 1;
      return undefined;
    }
    const [, minus, typedField, phrase, bracket, typed = ""] = match;
    const word = upToBracket(typed);
    this.#at = piecePattern.lastIndex - (typed.length - word.length);
    return { isNot: minus === "-", typedField, word, phrase, bracket };
  }

  #isTooDeep({ bracket }: Piece): boolean {
    if (bracket === undefined || this.#depth < maxDepth) return false;
    this.#ignoredBrackets += 1;
    return true;
  }

  /** Parses a piece with its field and its minus. */
  #clause(piece: Piece, ofField: string): Expression | undefined {
    const { isNot, typedField, phrase, bracket, word } = piece;
    const name = typedField?.toLowerCase() ?? "";
    const value = phrase ?? word;
    const isPhrase = phrase !== undefined;
    const isOther = otherOperators.has(name);
    const asTyped = name === "" || isOther || isPhrase ? value : `${typedField}:${value}`;
    this.#noteUnknown(name, value, { isNot, asTyped });
    this.#terms.forgetLastWord();
    const field = name === "" ? ofField : fields.has(name) ? name : "";
    const read =
      bracket === undefined
        ? this.#terms.read({ field, value, asTyped, isPhrase })
        : this.#inBrackets(bracket, field);
    if (!isNot) return read;
    this.#terms.forgetLastWord();
    // An unknown label excludes no mail.
    return read === undefined || isOther ? undefined : negated(read);
  }

  #inBrackets(bracket: string, field: string): Expression | undefined {
    this.#depth += 1;
    const read = this.#group(field, bracket === "{" && this.#query.includes("}", this.#at));
    this.#depth -= 1;
    return read;
  }

  #noteOtherJoint(piece: Piece): void {
    const instead = isBare(piece) ? otherJoints.get(piece.word) : undefined;
    if (instead !== undefined)
      this.#notices.add(`"${piece.word}" is not a search operator here. ${instead}`);
  }

  #noteUnknown(
    name: string,
    value: string,
    { isNot, asTyped }: { isNot: boolean; asTyped: string },
  ): void {
    const isOther = otherOperators.has(name);
    if (!isOther && (fields.has(name) || !isOperator(name, value))) return;
    const isLeftOut = isOther && isNot;
    const what = quoted(isLeftOut ? `-${name}:${value}` : asTyped);
    const done = isLeftOut ? "was left out" : "was searched as words";
    this.#notices.add(`"${name}:" is not a search operator here; ${what} ${done}.`);
  }
}

/** The clauses of a group. All of them must match. Each one is a list of alternatives. */
class Clauses {
  readonly #clauses: Expression[][] = [];
  readonly #isAny: boolean;
  #wasKept = false;
  #isAlternative = false;

  /** @param isAny whether all parts of the group are alternatives */
  constructor(isAny: boolean) {
    this.#isAny = isAny;
  }

  /** Handles `OR` or `AND`. An `OR` after an ignored part is ignored too. */
  joinNext(isOr: boolean): void {
    this.#isAlternative = isOr && this.#wasKept;
  }

  add(part: Expression | undefined): void {
    this.#wasKept = part !== undefined;
    if (part !== undefined) {
      const open = this.#isAlternative || this.#isAny ? this.#clauses.at(-1) : undefined;
      if (open === undefined) this.#clauses.push([part]);
      else open.push(part);
    }
    this.#isAlternative = false;
  }

  joined(): Expression | undefined {
    return joined(
      "all",
      this.#clauses.map((any) => joined("any", any)).filter((clause) => clause !== undefined),
    );
  }
}

const isBare = ({ isNot, typedField }: Piece): boolean => !isNot && typedField === undefined;

const isJoint = (piece: Piece): boolean =>
  isBare(piece) && (piece.word === "OR" || piece.word === "AND");

/**
 * Returns whether a name is an operator. A scheme, `q3:report`, or a name before a number as `localhost:8080` is not.
 */
function isOperator(name: string, value: string): boolean {
  const isWord = /^[a-z_]+$/.test(name) && !schemes.has(name);
  return isWord && (name.includes("_") || !/^\d/.test(value));
}

/** Cuts a word at a closing bracket that was opened before it: `f(x)` stays, `f(x))` loses its end. */
function upToBracket(word: string): string {
  let open = 0;
  for (let at = 0; at < word.length; at += 1) {
    if (/[({]/.test(word.charAt(at))) open += 1;
    else if (/[)}]/.test(word.charAt(at)) && (open -= 1) < 0) return word.slice(0, at);
  }
  return word;
}
