import { dayOrTime } from "../../core/day-or-time.ts";
import { hasToken, isBeginning, type Term } from "./search-text.ts";

/** What a search asks for. Texts are as they were typed. */
export interface SearchQuery {
  /** All groups must be met, each by one of its terms. */
  groups: readonly (readonly Term[])[];
  /** None of these may occur. */
  without: readonly Term[];
  /** Like groups: of each, one. */
  from: readonly (readonly string[])[];
  notFrom: readonly string[];
  to: readonly (readonly string[])[];
  notTo: readonly string[];
  hasAttachment?: boolean;
  /** At or after this. */
  after?: Date;
  before?: Date;
}

/** At most this many: more is a text, not a question, and each costs a look into the index. */
const maxTerms = 32;

/**
 * `-from:"Ann Lee"`: an optional minus, an optional field, and a word or what stands between quotes. Brackets before it only
 * say what OR does anyway.
 */
const piece =
  /[({]*(-?)(?:(from|to|subject|has|before|after|filename):)?(?:["“”„]([^"“”„]*)["“”„]|([^\s"“”„]+))/giu;

/**
 * Reads words, "phrases", `from:`, `to:`, `subject:`, `has:attachment`, `before:`, `after:`, `-not`, `OR` and `AND`. What
 * is none of these, or is not complete, is looked for as it stands: no query is an error.
 */
export function readQuery(query: string): SearchQuery {
  const groups: Term[][] = [];
  const without: Term[] = [];
  const people = {
    from: [] as string[][],
    notFrom: [] as string[],
    to: [] as string[][],
    notTo: [] as string[],
  };
  let rest: Pick<SearchQuery, "hasAttachment" | "after" | "before"> = {};
  let isFirst = true;
  let isAlternative = false;
  /** What an OR goes on with. */
  let open: Term[] | { field: "from" | "to"; who: string[] } | undefined;
  let last: Term | undefined;
  let count = 0;

  for (const [whole, minus = "", rawField = "", phrase, word = ""] of query.matchAll(piece)) {
    if (!isFirst && (whole === "OR" || whole === "AND")) {
      isAlternative = whole === "OR" && open !== undefined;
      continue;
    }
    isFirst = false;
    const field = rawField.toLowerCase();
    const value = phrase ?? word;
    const who = phrase ?? word.replace(/^[({]+|[)}]+$/g, "");
    const isNot = minus === "-";
    last = undefined;
    if ((field === "from" || field === "to") && hasToken(who)) {
      if (isNot) people[field === "from" ? "notFrom" : "notTo"].push(who);
      else if (isAlternative && Array.isArray(open) && field === "from") open.push(sentBy(who));
      else if (isAlternative && open !== undefined && "field" in open && open.field === field)
        open.who.push(who);
      else {
        open = { field, who: [who] };
        people[field].push(open.who);
      }
    } else if (field === "has" && /^attachments?$/i.test(who)) {
      rest = { ...rest, hasAttachment: !isNot };
    } else if ((field === "before" || field === "after") && dayOrTime(who) !== undefined) {
      rest = { ...rest, [field]: dayOrTime(who) };
    } else {
      // Not a field after all: then its name and colon were meant as they stand.
      const isSubject = field === "subject";
      const text =
        isSubject || phrase !== undefined || rawField === "" ? value : `${rawField}:${word}`;
      if (!hasToken(text) || count >= maxTerms) continue;
      count += 1;
      last = { text, isPrefix: false, ...(isSubject && { column: "subject" as const }) };
      if (isNot) without.push(last);
      else if (isAlternative && Array.isArray(open)) open.push(last);
      else {
        const senders = isAlternative && open !== undefined && "field" in open ? open : undefined;
        const also = senders?.field === "from" ? people.from.pop() : undefined;
        open = [...(also ?? []).map(sentBy), last];
        groups.push(open);
      }
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

/** A sender that is one of several things to look for: by its words, since those are what the others are found by. */
function sentBy(text: string): Term {
  return { text, isPrefix: isBeginning(text), column: "sender" };
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
