/** The intent of a request, or the operation of a tool. */
export type Intent = "list" | "read" | "create" | "change" | "remove";

/** Verbs in requests and in names of tools. A verb with several meanings, such as "open", is in no list. */
const verbs: Readonly<Record<Intent, string>> = {
  list: "list search find query browse lookup enumerate",
  read: "get read retrieve show describe fetch view display inspect check see explain",
  create:
    "create add make insert new register schedule book compose draft record upload generate store invite report raise log",
  change:
    "update edit change modify patch rename move set replace rewrite reschedule postpone adjust correct fix mark resolve assign",
  remove: "delete remove drop erase cancel clear trash forget uninstall revoke discard destroy",
};
const intentOfVerb = new Map(
  (Object.keys(verbs) as Intent[]).flatMap((intent) =>
    verbs[intent].split(" ").map((verb) => [verb, intent] as const),
  ),
);

/** Verbs of two words, and the beginnings of requests that mean a verb. */
const phrasal: readonly (readonly [form: RegExp, intent: Intent])[] = [
  [
    /^(?:take|throw|cut|strip|kick) (?:\S+ ){0,5}?(?:away|off|out|down)\b|^get rid of\b|^no longer\b/i,
    "remove",
  ],
  [
    /^(?:put|note|jot|write) (?:\S+ ){0,6}?(?:in|into|on|onto|down)\b|^set up\b|^start an?\b/i,
    "create",
  ],
  [/^(?:turn|make|call|give|switch) (?:the|this|that|it|these|all)\b/i, "change"],
];

const polite =
  /^(?:please|(?:can|could|would|will) you|i(?: want| need|'d like)(?: you)?(?: to)?|let us|let's)\s+/i;
const asksForSome =
  /^(?:which|who|how many|(?:are|is) there|do (?:we|i|you) have|what \w+s\b|any\b|what\b.*\b(?:do (?:we|i|you) have|are there|exist)\b|show (?:me )?(?:all|the \w+s)\b|all\b)/i;
/**
 * Beginnings of requests that have no verb, but name what they look for: "recent commits", "running containers". Some
 * verbs look like such a word.
 */
const namesSome =
  /^(?!(?:request|suggest|invest|ingest|digest|speed|embed|proceed)\b)(?:my|our|recent|latest|newest|last|current|active|available|existing|unread|overdue|upcoming|\w{3,}est|\w{3,}ing|\w{3,}ed)\s+\w/i;
const namesSeveral = /^\S+ (?:\S+ )?\w+[^suioa\W]s\b/i;
const asks =
  /^(?:what|when|where|why|how|whose|is|are|am|do|does|did|has|have|was|were|tell me)\b/i;
/** Number of first words that are searched for the verb of a request. */
const beginning = 3;

/** Returns the intent of a request. Undefined if its form does not show one. */
export function intentOfRequest(request: string): Intent | undefined {
  const text = request.trim().replace(polite, "");
  if (asksForSome.test(text)) return "list";
  if (asks.test(text)) return "read";
  const phrase = phrasal.find(([form]) => form.test(text));
  if (phrase !== undefined) return phrase[1];
  if (namesSome.test(text)) return namesSeveral.test(text) ? "list" : "read";
  return intentOf((text.toLowerCase().match(/\p{L}+/gu) ?? []).slice(0, beginning));
}

/**
 * Returns the operation of a tool. A name that begins with another word may have a noun that looks like a verb, as in
 * `list_add_item`, so the beginning of the description comes first then.
 */
export function intentOfTool(
  name: readonly string[],
  description: readonly string[],
): Intent | undefined {
  const [first = ""] = description;
  return intentOf(name.slice(0, 1)) ?? intentOf([first, first.replace(/s$/, "")]) ?? intentOf(name);
}

/** Returns the intent of the first verb among the words. */
export function intentOf(words: readonly string[]): Intent | undefined {
  return words.map((word) => intentOfVerb.get(word)).find((intent) => intent !== undefined);
}

/** Factors for the score of a tool. */
const same = 1.15;
const near = 1.05;
const other = 0.75;

/**
 * Returns the factor of a tool's score, by its operation. For example, `search` may answer a request for `get`, but
 * `delete` never does.
 */
export function fitness(wanted: Intent | undefined, does: Intent | undefined): number {
  if (wanted === undefined || does === undefined) return 1;
  if (wanted === does) return same;
  return isReading(wanted) && isReading(does) ? near : other;
}

export function isReading(intent: Intent | undefined): boolean {
  return intent === "list" || intent === "read";
}
