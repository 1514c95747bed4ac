import { z } from "zod";
import { canonicalJson } from "../../shared/digest.ts";
import { shownValue } from "../../shared/text/visible.ts";
import { dateToWall } from "../../shared/time-zone.ts";

const longestText = 2_000;
const mostValues = 100;

const scalar = z.union([z.string().max(longestText), z.number(), z.boolean()]);
const folder = z
  .string()
  .max(512)
  .regex(/^(?:[A-Za-z0-9._-]+\/)+$/, { error: 'must be a folder, written like "notes/"' })
  .refine((text) => isPath(text.slice(0, -1)), { error: "must not have . or .. between slashes" });
const bounds = z
  .tuple([z.union([z.string().max(40), z.number()]), z.union([z.string().max(40), z.number()])])
  .refine(([from, to]) => isSpan(from, to), {
    error:
      "must be two numbers, two dates (2026-11-23) or two times with an offset, the earlier one first",
  });

const matching = z
  .strictObject({
    is: z
      .union([scalar, z.array(scalar).max(mostValues)])
      .optional()
      .describe("Exactly this value"),
    oneOf: z.array(scalar).min(1).max(mostValues).optional().describe("One of these values"),
    in: folder.optional().describe("A key in this folder, and in none below it"),
    under: folder.optional().describe("A key in this folder or below it"),
    between: bounds.optional().describe("From the first to the second, both included"),
    orAbsent: z.literal(true).optional().describe("The call may also leave the argument out"),
  })
  .refine(({ orAbsent: _orAbsent, ...kinds }) => Object.keys(kinds).length === 1, {
    error: "must have exactly one of is, oneOf, in, under and between",
  });

/** A rule's condition on one argument. A call may omit the argument only with `any`, `absent` or `orAbsent`. */
export const condition = z.union([z.enum(["any", "absent"]), matching], {
  error: 'must be "any", "absent" or an object with one of is, oneOf, in, under and between',
});
export type ArgumentMatcher = z.output<typeof condition>;
type Matching = Exclude<ArgumentMatcher, string>;

/** One condition for each argument of a call. */
export type ArgumentMatchers = Readonly<Record<string, ArgumentMatcher>>;

const conditions = z.record(z.string(), condition);

/**
 * Parses conditions that were stored as JSON.
 * @throws zod's error if they are invalid
 */
export function parseConditions(stored: unknown): ArgumentMatchers {
  return conditions.parse(stored);
}

/**
 * Compiles a condition into a function of an argument's parsed value. Values are not converted: "5" is not 5, and a
 * list is not a text.
 */
export function compileCondition(given: ArgumentMatcher): (value: unknown) => boolean {
  if (given === "any") return () => true;
  if (given === "absent") return (value) => value === undefined;
  const matches = compileMatching(given);
  const mayBeAbsent = given.orAbsent === true;
  return (value) => (value === undefined ? mayBeAbsent : matches(value));
}

function compileMatching(given: Matching): (value: unknown) => boolean {
  const { is, oneOf, in: inFolder, under, between } = given;
  if (is !== undefined) return isOneOf([is]);
  if (oneOf !== undefined) return isOneOf(oneOf);
  if (inFolder !== undefined) return (value) => isBelow(inFolder, value, false);
  if (under !== undefined) return (value) => isBelow(under, value, true);
  if (between !== undefined) return isBetween(...between);
  return () => false;
}

/** Compares code unit by code unit, without folding case or Unicode composition. */
function isOneOf(wanted: readonly unknown[]): (value: unknown) => boolean {
  const values = new Set(wanted);
  const lists = new Set(wanted.filter(Array.isArray).map(canonicalJson));
  return (value) => (Array.isArray(value) ? lists.has(canonicalJson(value)) : values.has(value));
}

function isBelow(wanted: string, value: unknown, deep: boolean): boolean {
  if (typeof value !== "string" || !value.startsWith(wanted)) return false;
  const rest = value.slice(wanted.length);
  return isPath(rest) && (deep || !rest.includes("/"));
}

/** Returns whether a text is a path without empty, `.` or `..` segments. */
function isPath(text: string): boolean {
  return text.split("/").every((part) => !["", ".", ".."].includes(part) && !part.includes("\\"));
}

/** Dates match only dates and times only times, because the instants of a day depend on its time zone. */
function isBetween(from: string | number, to: string | number): (value: unknown) => boolean {
  const [first, last] = [place(from), place(to)];
  return (value) => {
    const at = place(value);
    if (at === undefined || first === undefined || last === undefined) return false;
    return at.kind === first.kind && first.at <= at.at && at.at <= last.at;
  };
}

function isSpan(from: string | number, to: string | number): boolean {
  const [first, last] = [place(from), place(to)];
  return first !== undefined && first.kind === last?.kind && first.at <= last.at;
}

const timeForm = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/i;

/** Returns the place of a value on its scale: a number, or the milliseconds of a date or time. Undefined for other values. */
function place(value: unknown): { kind: "number" | "date" | "time"; at: number } | undefined {
  if (typeof value === "number") return { kind: "number", at: value };
  if (typeof value !== "string") return undefined;
  const day = dateToWall(value);
  if (day !== undefined) return { kind: "date", at: day };
  const date = timeForm.exec(value)?.[1];
  const at = Date.parse(value);
  const isTime = date !== undefined && dateToWall(date) !== undefined && !Number.isNaN(at);
  return isTime ? { kind: "time", at } : undefined;
}

/** The name of the condition on the private contents that match a text which leaves. */
export const privateSources = "private content from";

/** Formats sources such as `mail em_a2b3`. Their ids say nothing to a person, and the request names each of them. */
function formatSources(sources: readonly unknown[]): string {
  const counts = new Map<string, number>();
  for (const source of sources) {
    const kind = String(source).split(" ", 1).join("");
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const kinds = [...counts].map(([kind, count]) => (count === 1 ? kind : `${count} ${kind}s`));
  return `the same ${kinds.join(" and ")}`;
}

/** Formats a condition, as `key directly in the folder notes/` or `any content`. */
export function formatCondition(name: string, given: ArgumentMatcher): string {
  if (given === "any") return `any ${name}`;
  if (given === "absent") return `no ${name}`;
  if (name === privateSources && Array.isArray(given.is))
    return `${name} ${formatSources(given.is)}`;
  return `${name} ${formatMatching(given)}${given.orAbsent === true ? " or absent" : ""}`;
}

function formatMatching({ is, oneOf, in: inFolder, under, between }: Matching): string {
  if (inFolder !== undefined) return `directly in the folder ${inFolder}`;
  if (under !== undefined) return `in the folder ${under} or below it`;
  if (between !== undefined) return `from ${between[0]} to ${between[1]}`;
  return (oneOf ?? [is]).map(shownValue).join(" or ");
}
