import { units } from "../code-words.ts";
import { alignedLowerCase } from "../text-forms.ts";
import { otherPaths, signInPaths } from "../link-words.ts";
import type { Features } from "./feature-sums.ts";
import { conceptsOf } from "./concepts.ts";
import { namedPart } from "./link-token.ts";
import type { WideCandidate } from "./wide-candidates.ts";
import { hashOf } from "./words.ts";

/** Returns the runs of a form, such as `Aa-9` for `Walnut-59`. */
const runsOf = (form: string): string => form.replace(/(.)\1+/g, "$1").slice(0, 12);

/** Adds the form of a code, and the signs beside it. */
export function addForm(features: Features, text: string, one: WideCandidate, value: string): void {
  const plain = value.replace(/[^A-Za-z0-9]/g, "");
  const form = value.replace(/\d/g, "9").replace(/[A-Z]/g, "A").replace(/[a-z]/g, "a");
  features.add("kind", one.kind);
  features.add("size", `${one.kind}${Math.min(12, plain.length)}`);
  features.add("form", form.slice(0, 12));
  features.add("runs", runsOf(form));
  const groups = value.split(/[\s·–|-]+/).map(({ length }) => length);
  features.add("groups", groups.slice(0, 6).join("-"));
  if (groups.length > 3 && groups.every((length) => length === 1)) features.add("apart", "");
  if (/^(?:19|20)\d\d$/.test(value)) features.add("year", "");
  if (units.test(alignedLowerCase(text.slice(one.end, one.end + 14)))) features.add("unit", "");
  if (/[\d)+][ \-/.]?$/.test(text.slice(Math.max(0, one.start - 2), one.start)))
    features.add("follows", "");
  if (/^ ?#|^[ \-/]\d/.test(text.slice(one.end, one.end + 2))) features.add("goes on", "");
}

/** Adds the words and parameters of a link. */
export function addAddress(features: Features, value: string): void {
  const [, host = "", path = ""] = /^(?:[a-z+.-]+:\/\/)?([^/?#]*)(.*)$/is.exec(value) ?? [];
  const small = path.toLowerCase();
  if (signInPaths.test(small)) features.add("leads in", "");
  if (otherPaths.test(small)) features.add("leads elsewhere", "");
  if (otherPaths.test(`/${host.toLowerCase().replaceAll(".", "/")}`))
    features.add("other host", "");
  for (const label of host.toLowerCase().split(".").slice(0, -2))
    features.addAll("H", [hashOf(label)]);
  for (const part of path.split(/[/?&#;]/)) {
    const { name: written, value: content } = namedPart(part);
    const name = written.toLowerCase();
    if (name !== "") {
      features.addAll("Q", [hashOf(name)]);
      const concepts = conceptsOf(name);
      features.addSums("QI", concepts);
      features.addConcepts("QI", concepts);
    }
    if (/^[a-z._-]+$/i.test(content))
      for (const word of content.toLowerCase().split(/[._-]/)) {
        features.addAll("W", [hashOf(word.slice(0, 6))]);
        const concepts = conceptsOf(word);
        features.addSums("WI", concepts);
        features.addConcepts("WI", concepts);
      }
    else {
      const sort = /^\d+$/.test(content) ? "d" : /^[0-9a-f-]+$/i.test(content) ? "h" : "m";
      const size = Math.min(4, Math.floor(content.length / 6));
      features.add("token", `${name === "" ? "p" : "q"}${size}${sort}`);
    }
  }
}
