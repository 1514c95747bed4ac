import { dayOrTime } from "../../core/day-or-time.ts";
import { hasToken, isBeginning, type Term } from "./search-text.ts";

/** What a search asks for. Texts are as they were typed. */
export interface SearchQuery {
  /** All groups must be met, each by one of its terms. */
  groups: readonly (readonly Term[])[];
  /** None of these may occur. */
  without: readonly Term[];
  from: readonly string[];
  notFrom: readonly string[];
  to: readonly string[];
  notTo: readonly string[];
  hasAttachment?: boolean;
  /** At or after this. */
  after?: Date;
  before?: Date;
}

/** At most this many: more is a text, not a question, and each costs a look into the index. */
const maxTerms = 32;

/** `-from:"Ann Lee"`: an optional minus, an optional field, and a word or what stands between quotes. */
const piece =
  /(-?)(?:(from|to|subject|has|before|after|filename):)?(?:["“”„]([^"“”„]*)["“”„]|([^\s"“”„]+))/giu;

/**
 * Reads words, "phrases", `from:`, `to:`, `subject:`, `has:attachment`, `before:`, `after:`, `-not` and `OR`. What is none of
 * these, or is not complete, is looked for as it stands: no query is an error.
 */
export function readQuery(query: string): SearchQuery {
  const groups: Term[][] = [];
  const without: Term[] = [];
  const people = {
    from: [] as string[],
    notFrom: [] as string[],
    to: [] as string[],
    notTo: [] as string[],
  };
  let rest: Pick<SearchQuery, "hasAttachment" | "after" | "before"> = {};
  let isAlternative = false;
  let last: Term | undefined;
  let count = 0;

  for (const [whole, minus = "", rawField = "", phrase, word = ""] of query.matchAll(piece)) {
    if (whole === "OR" && groups.length > 0) {
      isAlternative = true;
      continue;
    }
    const field = rawField.toLowerCase();
    const value = phrase ?? word;
    const isNot = minus === "-";
    last = undefined;
    if ((field === "from" || field === "to") && hasToken(value)) {
      const key = isNot ? (field === "from" ? "notFrom" : "notTo") : field;
      people[key].push(value);
    } else if (field === "has" && /^attachments?$/i.test(value)) {
      rest = { ...rest, hasAttachment: !isNot };
    } else if ((field === "before" || field === "after") && dayOrTime(value) !== undefined) {
      rest = { ...rest, [field]: dayOrTime(value) };
    } else {
      // Not a field after all: then its name and colon were meant as they stand.
      const isSubject = field === "subject";
      const text = isSubject || phrase !== undefined ? value : whole.slice(minus.length);
      if (!hasToken(text) || count >= maxTerms) continue;
      count += 1;
      last = { text, isPrefix: false, ...(isSubject && { column: "subject" as const }) };
      if (isNot) without.push(last);
      else if (isAlternative) groups.at(-1)?.push(last);
      else groups.push([last]);
    }
    isAlternative = false;
  }
  // The last word may be a beginning, where nothing closes it.
  if (
    last !== undefined &&
    !/["“”„]\s*$/u.test(query) &&
    isBeginning(last.text) &&
    !without.includes(last)
  )
    last.isPrefix = true;
  return { groups, without, ...people, ...rest };
}

/** True where there is something to look for. */
export function asksForAnything(query: SearchQuery): boolean {
  const { groups, without, from, notFrom, to, notTo } = query;
  return (
    [groups, without, from, notFrom, to, notTo].some((list) => list.length > 0) ||
    query.hasAttachment !== undefined ||
    query.after !== undefined ||
    query.before !== undefined
  );
}
