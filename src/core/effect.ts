import type { Does, Line, ToolContract } from "./tool.ts";

/**
 * What will happen, from one value in two renderings (PRODUCT section 1). `forModel` holds the tool and the caller's own
 * arguments. `forPerson` adds what `prepare` saw of the target: only doors show it.
 */
export interface Effect {
  title: string;
  /** What the tool does to the world; absent where an earlier version wrote this. */
  does?: Does;
  forModel: readonly Line[];
  forPerson: readonly Line[];
  /** True where an elicitation, which passes through the client program, may show `forPerson`. */
  clientMayRead: boolean;
}

/** Characters of one value that a person is shown; the rest is counted. Longer texts are not read, they are accepted. */
const maxValueCharacters = 600;

/**
 * Everything that could make a shown value differ from the real one: controls, line and paragraph separators, bidi
 * controls, zero-width and other default-ignorable characters (UAX #44), odd spaces, tags, unassigned and private code points.
 */
const invisible =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{DI}\u00A0\u1680\u2000-\u200A\u202F\u205F\u2800]/gu;

const shortEscapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The text with every character visible and on one line. */
export function visible(text: string): string {
  return text.replaceAll("\\", "\\\\").replace(invisible, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return shortEscapes[character] ?? `\\u{${code.toString(16).toUpperCase().padStart(4, "0")}}`;
  });
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
 * The two renderings of a call: its parsed arguments, and for the person also what `prepare` found. `lead` goes first: what
 * became of an earlier, identical request. `resolved`: the arguments as `prepare` completed them, perhaps from the target
 * itself: only the person sees those.
 */
export function effectOf(
  tool: ToolContract<never>,
  args: Readonly<Record<string, unknown>>,
  found: { facts: readonly Line[]; clientMayRead: boolean } = { facts: [], clientMayRead: true },
  lead?: string,
  resolved: Readonly<Record<string, unknown>> = args,
): Effect {
  const before = lead === undefined ? [] : [{ label: "note", value: lead }];
  const lines = (values: Readonly<Record<string, unknown>>): Line[] =>
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([label, value]) => ({ label, value: shownValue(value) }));
  const facts = found.facts.map(({ label, value }) => ({ label, value: cut(value, visible) }));
  return {
    title: tool.title,
    does: tool.does,
    forModel: [...before, ...lines(args)],
    forPerson: [...before, ...lines(resolved), ...facts],
    clientMayRead: found.clientMayRead,
  };
}
