import { cut as shortened } from "../shared/clean-text.ts";
import type { OperationKind, EffectFound, Line, Tool } from "../tool/tool.ts";

/** What happens, for one reader: a sentence that says it, and the rest in order of weight. */
export interface Rendering {
  /** In the imperative, without a full stop: `Delete the file "a.txt", 12 kB, changed yesterday`. */
  headline: string;
  facts: readonly Line[];
}

/**
 * What will happen, from one value in three renderings. `forModel` holds the tool and the caller's own arguments.
 * `forPerson` adds what `prepare` saw of the target: only approval channels show it. `forDialog` passes through the client
 * program: it is `forPerson` if this client could read the target anyway.
 */
export interface Effect {
  title: string;
  /** What the tool does to the world; absent in what an earlier version wrote. */
  does?: OperationKind;
  forModel: Rendering;
  forPerson: Rendering;
  /** `withheld`: what only the other approval channels show, as `its title`. */
  forDialog: Rendering & { withheld?: string };
}

/** Characters of one value that a person is shown; the rest is counted. Longer texts are not read, they are accepted. */
const maxValueCharacters = 600;

/** Characters of a name within a headline; a longer one would push the rest out of what a dialog shows. */
const maxNameCharacters = 80;

/** Characters of a headline that is made of a tool's sentence for the diary. */
const maxHeadlineCharacters = 300;

/**
 * Everything that could make a shown value differ from the real one: controls, line and paragraph separators, bidi
 * controls, zero-width and other default-ignorable characters (UAX #44), odd spaces, tags, unassigned and private code points.
 */
const invisible =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{DI}\u00A0\u1680\u2000-\u200A\u202F\u205F\u2800]/gu;

/** Marks beyond the third on one letter: no script needs them, and stacked ones cover the lines above and below. */
const stackedMarks = /(?<=\p{M}{3})\p{M}/gu;

const shortEscapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The text with every character visible and on one line. */
export function visible(text: string): string {
  return escaped(text.replaceAll("\\", "\\\\"));
}

function escaped(text: string): string {
  return text.replace(stackedMarks, escapeOf).replace(invisible, escapeOf);
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return shortEscapes[character] ?? `\\u{${code.toString(16).toUpperCase().padStart(4, "0")}}`;
}

/** A name within a sentence: in quotes that it cannot close, on one line, without its middle if it is long. */
export function shownName(text: string): string {
  // No escape is cut in two.
  const signs =
    visible(text)
      .replaceAll('"', '\\"')
      .match(/\\u\{[^}]*\}|\\.|./gsu) ?? [];
  if (signs.join("").length <= maxNameCharacters) return `"${signs.join("")}"`;
  const start = atMost(signs, 50).join("");
  const end = atMost(signs.toReversed(), 25).toReversed().join("");
  return `"${start}…${end}"`;
}

/** The first of these that take so many characters together. */
function atMost(signs: readonly string[], characters: number): string[] {
  let left = characters;
  return signs.slice(
    0,
    signs.findIndex((sign) => (left -= sign.length) < 0),
  );
}

/** A value as a person sees it: text in quotes, one line, at most 600 characters and the number of those left out. */
export function shownValue(value: unknown): string {
  if (typeof value !== "string") return cut(JSON.stringify(value), visible);
  return cut(value, (text) => `"${visible(text).replaceAll('"', '\\"')}"`);
}

function cut(text: string, show: (part: string) => string): string {
  const characters = Array.from(text);
  const rest = characters.length - maxValueCharacters;
  const shown = show(characters.slice(0, maxValueCharacters).join(""));
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/**
 * The renderings of a call: its parsed arguments, and for the person also what `prepare` found. Arguments that the headline
 * says are not repeated. `lead` is the first fact: what became of an earlier, identical request. `resolved`: the arguments
 * as `prepare` completed them, perhaps from the target itself: only the person sees those.
 */
export function effectOf(
  tool: Pick<Tool, "title" | "operation" | "describe" | "says">,
  args: Readonly<Record<string, unknown>>,
  found?: EffectFound,
  lead?: string,
  resolved: Readonly<Record<string, unknown>> = args,
): Effect {
  const before = lead === undefined ? [] : [{ label: "note", value: lead }];
  const lines = (values: Readonly<Record<string, unknown>>, said: readonly string[]): Line[] =>
    Object.entries(values)
      .filter(([label, value]) => value !== undefined && !(said.includes(label) && isShort(value)))
      .map(([label, value]) => ({ label, value: shownValue(value) }));
  const forModel: Rendering = {
    headline: shortened(escaped(capitalized(tool.describe(args))), maxHeadlineCharacters),
    facts: [...before, ...lines(args, tool.says)],
  };
  const facts =
    found?.facts.map(({ label, value }) => ({ label, value: cut(value, visible) })) ?? [];
  const forPerson: Rendering = {
    headline: escaped(found?.headline ?? forModel.headline),
    facts: [...before, ...facts, ...lines(resolved, found?.says ?? tool.says)],
  };
  return { title: tool.title, does: tool.operation, forModel, forPerson, forDialog: dialog() };

  function dialog(): Effect["forDialog"] {
    if (found?.forClient === undefined || found.forClient === "all") return forPerson;
    const { headline, says, withheld } = found.forClient;
    return {
      headline: escaped(headline),
      facts: [...before, ...lines(args, says)],
      ...(withheld !== undefined && { withheld }),
    };
  }
}

/** Whether a headline can have said all of it. */
function isShort(value: unknown): boolean {
  return shownValue(value).length <= maxNameCharacters + 2;
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
