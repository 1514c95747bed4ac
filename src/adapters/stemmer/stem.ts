import { stemmer } from "stemmer";

/** Words whose stem would be that of a word with another meaning. */
const apart: Readonly<Record<string, string>> = {
  documentation: "docs",
  // The noun for a way is meant, and not the adjective "direct".
  directions: "wayfinding",
  // The environment, and not the stage of a version control system.
  staging: "preproduction",
  // The noun for an offer is meant, and not the verb "list".
  listing: "advert",
  listings: "advert",
};

/** The irregular forms of verbs that requests often have, after the verb itself. */
const irregular = new Map(
  `begin began begun
break broke broken
bring brought
build built
buy bought
catch caught
choose chose chosen
come came
draw drew drawn
drive drove driven
eat ate eaten
fall fell fallen
fly flew flown
forget forgot forgotten
freeze froze frozen
hear heard
hide hid hidden
keep kept
lose lost
make made
meet met
pay paid
rewrite rewrote rewritten
ring rang rung
rise rose risen
run ran
sell sold
send sent
sing sang sung
sleep slept
speak spoke spoken
spend spent
steal stole stolen
take took taken
teach taught
throw threw thrown
wake woke woken
win won
write wrote written`
    .split("\n")
    .flatMap((line) => {
      const [verb = "", ...forms] = line.split(" ");
      return forms.map((form) => [form, verb] as const);
    }),
);

/** Each word of a request is looked up in several lists, and most words occur in several tools. */
const known = new Map<string, string>();
const mostKnown = 20_000;

/** Returns the stem of an English word in lower case. */
export function stemOf(word: string): string {
  const found = known.get(word);
  if (found !== undefined) return found;
  const base = Object.hasOwn(apart, word) ? apart[word] : irregular.get(word);
  const stem = stemmer(base ?? word);
  if (known.size >= mostKnown) known.clear();
  known.set(word, stem);
  return stem;
}
