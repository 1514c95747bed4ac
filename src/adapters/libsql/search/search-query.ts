import { cut } from "../../../core/shared/text/clean-text.ts";
import { dayOrTime } from "../../../core/shared/day-or-time.ts";
import { fileWanted } from "./file-words.ts";
import { type Expression, joined, negated, type Term } from "./search-expression.ts";
import { hasToken, isBeginning } from "./search-text.ts";

export interface SearchQuery {
  /** Undefined for an empty query. */
  expression: Expression | undefined;
  /** The time to which relative dates refer, if there are any. */
  asOf?: Date;
  /** Sentences about unsupported parts of the query. */
  notices: readonly string[];
}

/** Words and fields per query. Each costs an index lookup, and more are a text rather than a query. */
const maxTraits = 32;

/** Nested brackets. Deeper ones are ignored. SQLite refuses conditions that are a few times as deep. */
const maxDepth = 6;

const dayMs = 24 * 3_600_000;

const fields: ReadonlySet<string> = new Set([
  "from",
  "to",
  "subject",
  "has",
  "filename",
  "after",
  "before",
  "newer",
  "older",
  "newer_than",
  "older_than",
]);

/** The valid values of a field, for fields that do not accept every value. */
const wantedValues: Readonly<Record<string, string>> = {
  has: "attachment",
  after: "a day such as 2026-03-01",
  before: "a day such as 2026-03-01",
  newer: "a day such as 2026-03-01",
  older: "a day such as 2026-03-01",
  newer_than: "a span such as 7d, 2m or 1y",
  older_than: "a span such as 7d, 2m or 1y",
};

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

/** Further notices are dropped. */
const maxNotices = 8;
const noticeCharacters = 40;

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
const piece = new RegExp(
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
  let at = 0;
  let depth = 0;
  /** Open brackets beyond the depth limit. */
  let idle = 0;
  let count = 0;
  /** The last term, if it was a word. */
  let last: Term | undefined;
  let asOf: Date | undefined;
  const notices = new Set<string>();

  /** Parses up to the closing bracket or the end. */
  function group(ofField: string, isAny: boolean): Expression | undefined {
    const clauses: Expression[][] = [];
    let isFirst = true;
    let wasKept = false;
    let isAlternative = false;
    while (at < query.length) {
      if (/[)}]/.test(query.charAt(at))) {
        at += 1;
        if (idle > 0) idle -= 1;
        else if (depth > 0) break;
        continue;
      }
      piece.lastIndex = at;
      const match = piece.exec(query);
      if (match === null) {
        // A blank, or an unclosed quote.
        at += 1;
        continue;
      }
      const [, minus = "", typedField, phrase, bracket, typed = ""] = match;
      const word = upToBracket(typed);
      at = piece.lastIndex - (typed.length - word.length);
      if (bracket !== undefined && depth === maxDepth) {
        idle += 1;
        continue;
      }
      const isBare = minus === "" && typedField === undefined;
      if (!isFirst && isBare && (word === "OR" || word === "AND")) {
        isAlternative = word === "OR" && wasKept;
        continue;
      }
      const instead = isBare && !isFirst ? otherJoints.get(word) : undefined;
      if (instead !== undefined) say(`"${word}" is not a search operator here. ${instead}`);
      isFirst = false;
      const name = typedField?.toLowerCase() ?? "";
      const value = phrase ?? word;
      const isOther = otherOperators.has(name);
      const isLeftOut = isOther && minus === "-";
      const asTyped =
        name === "" || isOther || phrase !== undefined ? value : `${typedField}:${value}`;
      if (isOther || (!fields.has(name) && isOperator(name, value)))
        sayUnknown(name, isLeftOut ? `-${name}:${value}` : asTyped, isLeftOut);
      last = undefined;
      const field = name === "" ? ofField : fields.has(name) ? name : "";
      const read =
        bracket === undefined
          ? trait(field, value, asTyped, phrase !== undefined)
          : inBrackets(bracket, field);
      // An unknown label excludes no mail.
      const wanted = isLeftOut ? undefined : read;
      const kept = minus === "-" && wanted !== undefined ? negated(wanted) : wanted;
      if (minus === "-") last = undefined;
      wasKept = kept !== undefined;
      if (kept !== undefined) {
        const open = isAlternative || isAny ? clauses.at(-1) : undefined;
        if (open === undefined) clauses.push([kept]);
        else open.push(kept);
      }
      isAlternative = false;
    }
    return joined(
      "all",
      clauses.map((any) => joined("any", any)).filter((clause) => clause !== undefined),
    );
  }

  function inBrackets(bracket: string, field: string): Expression | undefined {
    depth += 1;
    const read = group(field, bracket === "{" && query.includes("}", at));
    depth -= 1;
    return read;
  }

  function sayUnknown(name: string, what: string, isLeftOut: boolean): void {
    const done = isLeftOut ? "was left out" : "was searched as words";
    say(`"${name}:" is not a search operator here; "${cut(what, noticeCharacters)}" ${done}.`);
  }

  function say(notice: string): void {
    if (notices.size < maxNotices) notices.add(notice);
  }

  /**
   * Parses one term.
   * @param asTyped the value with the field before it
   */
  function trait(
    field: string,
    value: string,
    asTyped: string,
    isPhrase: boolean,
  ): Expression | undefined {
    if (count >= maxTraits) return undefined;
    const fact = fieldTrait(field, value, isPhrase);
    if (fact !== undefined) {
      count += 1;
      return fact;
    }
    const isSubject = field === "subject";
    // The name is not a field, so name and colon are searched as text.
    const text = isSubject ? value : asTyped;
    if (field !== "" && !isSubject) {
      const reason = wantedValues[field] ?? "a word";
      say(`"${field}:" takes ${reason}; "${cut(text, noticeCharacters)}" was searched as words.`);
    }
    if (!hasToken(text)) return undefined;
    count += 1;
    const term: Term = { text, isPrefix: false, ...(isSubject && { column: "subject" }) };
    if (!isPhrase) last = term;
    return { kind: "words", isNot: false, term };
  }

  function fieldTrait(field: string, value: string, isPhrase: boolean): Expression | undefined {
    switch (field) {
      case "filename": {
        const wanted = fileWanted(value, isPhrase);
        return wanted === undefined ? undefined : { kind: "file", isNot: false, wanted };
      }
      case "from":
      case "to":
        if (value.toLowerCase() === "me" && !isPhrase)
          say(
            `"${field}:me" does not mean the user here; "me" was searched in names and addresses.`,
          );
        return hasToken(value) ? { kind: field, isNot: false, who: [value] } : undefined;
      case "has":
        return /^attachments?$/i.test(value) ? { kind: "attachment", isNot: false } : undefined;
      case "after":
      case "newer":
        return since(dateOf(value), false);
      case "before":
      case "older":
        return since(dateOf(value), true);
      case "newer_than":
        return since(before(value), false);
      case "older_than":
        return since(before(value), true);
      default:
        return undefined;
    }
  }

  /** Parses a time span: `7d`, `2m`, `1y`. */
  function before(value: string): Date | undefined {
    const [, digits, unit = ""] = /^(\d{1,4})([dmy])$/i.exec(value) ?? [];
    if (digits === undefined) return undefined;
    asOf = now;
    if (unit.toLowerCase() === "d") return new Date(now.getTime() - Number(digits) * dayMs);
    const date = new Date(now);
    const months = Number(digits) * (unit.toLowerCase() === "y" ? 12 : 1);
    date.setUTCMonth(date.getUTCMonth() - months);
    // A month before the 31st is the last day of a shorter month.
    if (date.getUTCDate() !== now.getUTCDate()) date.setUTCDate(0);
    return date;
  }

  const expression = group("", false);
  // The last word may be a prefix unless it is quoted.
  if (last !== undefined && isBeginning(last.text)) last.isPrefix = true;
  return { expression, ...(asOf !== undefined && { asOf }), notices: [...notices] };
}

/**
 * Returns whether a name is an operator. A scheme, `q3:report`, or a name before a number as `localhost:8080` is not.
 */
function isOperator(name: string, value: string): boolean {
  const isWord = /^[a-z_]+$/.test(name) && !schemes.has(name);
  return isWord && (name.includes("_") || !/^\d/.test(value));
}

function since(date: Date | undefined, isNot: boolean): Expression | undefined {
  return date === undefined ? undefined : { kind: "since", isNot, date };
}

/** Parses an ISO 8601 date, or a day in Gmail's form: `2026/1/31`. */
function dateOf(value: string): Date | undefined {
  return dayOrTime(
    value.replace(
      /^(\d{4})\/(\d{1,2})\/(\d{1,2})$/,
      (_, year: string, month: string, day: string) =>
        [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-"),
    ),
  );
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
