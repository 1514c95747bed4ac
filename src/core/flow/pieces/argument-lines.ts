import type { Span } from "../reading/reading.ts";
import { type ArgumentPart, type ArgumentRows, rowsOf } from "./argument-rows.ts";

/** The arguments of a call, as they are compared. */
export interface OutgoingArguments {
  text: string;
  /** The short arguments in rows, because several of them can have the parts of a secret. */
  rows?: { text: string; spanOf: (span: Span) => Span } | undefined;
}

/** A date or time in the usual form. */
const timestamp =
  /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** Fewest items of a list that is read by columns. */
const fewestInTable = 3;

/** Collects every text, number and field name. Upstream tools take objects, and field names can carry as much as values. */
export class ArgumentLines {
  readonly #lines: string[] = [];
  /** Dates and times with their names. They come last, because their digits would separate the parts of a code. */
  readonly #times: string[] = [];
  /** The field names of each object in a row, because values would interrupt a sentence in them. */
  readonly #names = new Set<string>();
  readonly #groups: (readonly ArgumentPart[])[] = [];

  /** @param declared the names of the tool's own fields, which a caller cannot choose */
  constructor(args: object, declared: ReadonlySet<string>) {
    this.#addObject(args, declared);
  }

  outgoing(): OutgoingArguments {
    const lines = [...this.#lines, ...this.#names, ...this.#times];
    const rows = rowsOf(this.#groups);
    return {
      text: lines.join("\n"),
      rows: rows && { text: rows.text, spanOf: spansIn(lines, rows) },
    };
  }

  /** Adds a value. Returns the line of a text, and those of an object's fields. */
  #add(value: unknown): ArgumentPart | ReadonlyMap<string, ArgumentPart> | undefined {
    if (typeof value === "string") return this.#addLine(value);
    // Ordinary calls have many numbers. Two of them beside each other are often equal to a code by chance.
    if (typeof value === "number") this.#lines.push(String(value));
    if (typeof value !== "object" || value === null) return undefined;
    return Array.isArray(value) ? this.#addList(value) : this.#addObject(value);
  }

  #addLine(text: string): ArgumentPart {
    return { text, line: this.#lines.push(text) - 1 };
  }

  #addObject(value: object, declared?: ReadonlySet<string>): ReadonlyMap<string, ArgumentPart> {
    const names: ArgumentPart[] = [];
    const fields = new Map<string, ArgumentPart>();
    for (const [name, field] of Object.entries(value)) {
      if (typeof field === "string" && timestamp.test(field)) {
        this.#times.push(name, field);
        continue;
      }
      const own = this.#addLine(name);
      if (declared?.has(name) !== true) names.push(own);
      const part = this.#add(field);
      if (isPart(part)) fields.set(name, part);
    }
    if (names.length > 1) this.#names.add(names.map(({ text }) => text).join(" "));
    this.#groups.push(names, [...fields.values()]);
    return fields;
  }

  /** Adds a list. Returns the values of its items as one, if each item is a list with one of them. */
  #addList(list: readonly unknown[]): ReadonlyMap<string, ArgumentPart> {
    const columns = new Map<string, ArgumentPart[]>();
    const own = new Map<string, ArgumentPart>();
    const { length } = this.#groups;
    for (const [at, item] of list.entries()) {
      const added = this.#add(item);
      if (isPart(added)) own.set(String(at), added);
      else if (added !== undefined)
        for (const [name, part] of added) {
          const column = columns.get(name);
          if (column === undefined) columns.set(name, [part]);
          else column.push(part);
        }
    }
    // The rows of a table are no parts of each other.
    const inner = this.#groups.splice(length);
    if (list.length < fewestInTable) this.#groups.push(...inner);
    this.#groups.push([...own.values()], ...columns.values());
    return own;
  }
}

function isPart(
  added: ArgumentPart | ReadonlyMap<string, ArgumentPart> | undefined,
): added is ArgumentPart {
  return added !== undefined && "line" in added;
}

/** Returns where the outgoing text has a part of the rows, from its first to its last line. */
function spansIn(lines: readonly string[], { linesOf }: ArgumentRows): (span: Span) => Span {
  return (span) => {
    const { first, last } = linesOf(span);
    const start = lines.slice(0, first).reduce((sum, { length }) => sum + length + 1, 0);
    const end = lines.slice(first, last + 1).reduce((sum, { length }) => sum + length + 1, start);
    return { start, end: end - 1 };
  };
}
