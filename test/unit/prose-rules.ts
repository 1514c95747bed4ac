/** A construction that a reader has to translate, with what to write instead. */
export interface ProseRule {
  name: string;
  instead: string;
  /** Returns whether a sentence has the fault. `index` counts the sentences of one text from 0. */
  breaks: (sentence: string, index: number) => boolean;
}

const negation =
  "\\b(?:no|not|none|never|nothing|neither|nor|cannot|without|unless|un(?:til|less))\\b";

/** Rules that every text follows: documentation, strings, comments and test titles. */
export const wordRules: readonly ProseRule[] = [
  {
    name: "clause as subject",
    instead: "a noun of the glossary as the subject",
    breaks: (text) =>
      /^(?:What|Whatever|Whoever|Whom|Whose|Whichever)\b[^?]*$/.test(text) ||
      /^Who [^?]*$/.test(text),
  },
  {
    name: "person without a name",
    instead: "caller, approver, sender, client, reader, process",
    breaks: (text) => /\b(?:nobody|somebody|anybody|whoever|whomever)\b/i.test(text),
  },
  {
    name: "told",
    instead: "is notified, is shown, is recorded",
    breaks: (text) => /\b(?:is|are|was|were|be|been|being|not|never) told\b/i.test(text),
  },
  {
    name: "stands, lies",
    instead: "applies, is stored, is listed",
    breaks: (text) => /\b(?:stands|stood|lies|lain)\b/i.test(text),
  },
  {
    name: "where for if",
    instead: "if or when",
    breaks: (text) =>
      /(?:^|[,;:(] ?)where (?:it|they|there|that|this|he|she|nothing|none|one|no|not|all|both|neither|an? \w+|the \w+) (?:is|are|was|were|has|have|had|does|do|did|can|cannot|may|must|will|would|needs?|says?|knows?|gives?|takes?|fails?|holds?|comes?|ends?|begins?)\b/i.test(
        text,
      ) || /^Where [a-z][^?]*,/.test(text),
  },
  {
    name: "chain of consequences",
    instead: "two sentences",
    breaks: (text) => /\bwhich is why\b|\bso that\b.*\bso that\b|\bfor the sake of\b/i.test(text),
  },
  {
    name: "document outside the repository",
    instead: "the fact itself, an RFC or a page in docs",
    breaks: (text) =>
      /\b(?:PRODUCT|PROTOCOL|LANGUAGE|REVIEW)(?:\.md)? (?:section )?\d|\bissue [A-Z]\b/.test(text),
  },
  {
    name: "imagery",
    instead: "the term of the field",
    breaks: (text) =>
      /\b(?:(?<!front )doors?(?! codes?)|roads?|on its way|on the way|at one go|at hand|comes? in between|goes? astray|in its hands|out of the way|all the same|by itself|by themselves|gives? back|given back|looked at|sees? to|makes? nothing of|sent along|goes? on|go on|went on|there already|is over|were over)\b/i.test(
        text,
      ),
  },
];

/** Rules for sentences that are read once: comments and test titles. */
export const sentenceRules: readonly ProseRule[] = [
  {
    name: "over 35 words",
    instead: "sentences of at most 25 words",
    breaks: (text) => text.split(" ").length > 35,
  },
  {
    name: "semicolon",
    instead: "two sentences",
    breaks: (text) => /; \S/.test(text),
  },
  {
    name: "double negation",
    instead: "the positive statement",
    breaks: (text) =>
      text
        .split(/[,;:]/)
        .some((clause) => new RegExp(`${negation}.*${negation}`, "i").test(clause)),
  },
  {
    name: "pronoun without a noun",
    instead: "the noun",
    breaks: (text, index) =>
      index === 0 &&
      /^(?:It|They|He|She|Its|Their|These|Those|This|That|Else|Otherwise)\b/.test(text),
  },
  {
    name: "opening preposition",
    instead: "the subject first",
    breaks: (text, index) =>
      index === 0 &&
      /^(?:Of|To|With|Without|Behind|By|Until|As|Than|But|And|So|Nor|Beside)\b/.test(text),
  },
];

/** Splits a text into sentences. Code and markup count as one word. */
export function sentencesOf(text: string): string[] {
  return text
    .replaceAll(/`[^`]*`/g, "code")
    .replaceAll(/ ?\[[a-z]+\.[a-z0-9-]+\]/g, "")
    .replaceAll(/\bneither (.*?) nor\b/gi, "neither $1 and")
    .replaceAll(/[.\s]*@(?:param|returns?|throws|see)\b/g, ". At")
    .replaceAll(/\s+/g, " ")
    .trim()
    .split(/(?<=[.!?])["')]? (?=["'(]?[A-Z`])/)
    .filter((sentence) => sentence !== "");
}

/** Returns whether a docstring of a function starts with a verb in the third person: "Returns", "Deletes". */
export function startsWithVerb(docstring: string): boolean {
  const first = /^[A-Z][a-z-]+/.exec(docstring)?.[0] ?? "";
  return (
    first.endsWith("s") &&
    !/^(?:This|Its|As|Whether|Bytes|Characters|Milliseconds|Seconds|Words|Addresses|Texts|Lines|Parts)$/.test(
      first,
    )
  );
}
