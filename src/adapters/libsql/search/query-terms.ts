import { cut } from "../../../core/shared/text/clean-text.ts";
import { dayOrTime } from "../../../core/shared/day-or-time.ts";
import { fileWanted } from "./file-words.ts";
import type { Expression, Term } from "./search-expression.ts";
import { hasToken, isBeginning } from "./search-text.ts";

/** Words and fields per query. Each costs an index lookup, and more are a text rather than a query. */
const maxTerms = 32;

const dayMs = 24 * 3_600_000;

export const fields: ReadonlySet<string> = new Set([
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

/** Further notices are dropped. */
const maxNotices = 8;
const noticeCharacters = 40;

/** Sentences about unsupported parts of a query, each once. */
export class Notices {
  readonly #notices = new Set<string>();

  add(notice: string): void {
    if (this.#notices.size < maxNotices) this.#notices.add(notice);
  }

  list(): readonly string[] {
    return [...this.#notices];
  }
}

/** Shortens a part of a query for a notice. */
export const quoted = (text: string): string => `"${cut(text, noticeCharacters)}"`;

/** Parses the terms of one query: words, phrases and the values of fields. */
export class TermReader {
  #count = 0;
  #asOf: Date | undefined;
  /** The last term of the query, if it is a word. */
  #lastWord: Term | undefined;
  readonly #now: Date;
  readonly #notices: Notices;

  constructor(now: Date, notices: Notices) {
    this.#now = now;
    this.#notices = notices;
  }

  /** The time to which relative dates refer. Undefined if there are none. */
  get asOf(): Date | undefined {
    return this.#asOf;
  }

  /** Makes the last word whole: it is not the end of the query, or it is excluded. */
  forgetLastWord(): void {
    this.#lastWord = undefined;
  }

  /** Makes the last word a prefix, because the user may still be typing it. */
  openLastWord(): void {
    if (this.#lastWord !== undefined && isBeginning(this.#lastWord.text))
      this.#lastWord.isPrefix = true;
  }

  /**
   * Parses one term.
   * @param asTyped the value with the field before it
   */
  read({ field, value, asTyped, isPhrase }: TypedTerm): Expression | undefined {
    if (this.#count >= maxTerms) return undefined;
    const ofField = this.#readField(field, value, isPhrase);
    if (ofField !== undefined) {
      this.#count += 1;
      return ofField;
    }
    const isSubject = field === "subject";
    // The name is not a field, so name and colon are searched as text.
    const text = isSubject ? value : asTyped;
    if (field !== "" && !isSubject) {
      const reason = wantedValues[field] ?? "a word";
      this.#notices.add(`"${field}:" takes ${reason}; ${quoted(text)} was searched as words.`);
    }
    if (!hasToken(text)) return undefined;
    this.#count += 1;
    const term: Term = { text, isPrefix: false, ...(isSubject && { column: "subject" }) };
    if (!isPhrase) this.#lastWord = term;
    return { kind: "words", isNot: false, term };
  }

  #readField(field: string, value: string, isPhrase: boolean): Expression | undefined {
    switch (field) {
      case "filename": {
        const wanted = fileWanted(value, isPhrase);
        return wanted === undefined ? undefined : { kind: "file", isNot: false, wanted };
      }
      case "from":
      case "to":
        if (value.toLowerCase() === "me" && !isPhrase)
          this.#notices.add(
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
        return since(this.#spanBefore(value), false);
      case "older_than":
        return since(this.#spanBefore(value), true);
      default:
        return undefined;
    }
  }

  /** Returns the beginning of a time span before now: `7d`, `2m`, `1y`. */
  #spanBefore(value: string): Date | undefined {
    const [, digits, unit = ""] = /^(\d{1,4})([dmy])$/i.exec(value) ?? [];
    if (digits === undefined) return undefined;
    const now = this.#now;
    this.#asOf = now;
    if (unit.toLowerCase() === "d") return new Date(now.getTime() - Number(digits) * dayMs);
    const date = new Date(now);
    const months = Number(digits) * (unit.toLowerCase() === "y" ? 12 : 1);
    date.setUTCMonth(date.getUTCMonth() - months);
    // A month before the 31st is the last day of a shorter month.
    if (date.getUTCDate() !== now.getUTCDate()) date.setUTCDate(0);
    return date;
  }
}

/** A term as it was typed, with its field. */
export interface TypedTerm {
  /** Empty for no field. */
  field: string;
  value: string;
  asTyped: string;
  isPhrase: boolean;
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
