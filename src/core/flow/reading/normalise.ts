import { type Reading, replaced, respelled } from "./reading.ts";
import { remembered } from "./remembered.ts";
import { isPrintable } from "./tokens.ts";

/** Letters that the mail index replaces. */
const otherSpellings: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ł: "l",
  ø: "o",
  đ: "d",
};

/** Replaces letters as the mail index does. Word frequencies are found only in its spelling. */
export function inIndexSpelling(text: string): string {
  return text.replace(/[ßæœłøđ]/g, (letter) => otherSpellings[letter] ?? letter);
}

/** A character outside printable ASCII, or one with combining marks. */
const cluster = /[^ -~]\p{M}*|[ -~]\p{M}+/gsu;
const upperCase = /[A-Z]/;
const upperCaseRuns = /[A-Z]+/g;
const ignorable = /\p{Default_Ignorable_Code_Point}|\p{Cf}/gu;
/** Letters that lose their accents. In Cyrillic, kana and Thai a mark makes a different letter. */
const accented = /(\p{Script=Latin}|\p{Script=Greek}|\p{N}|[^\p{L}\p{M}])\p{M}+/gu;
/** Marks that strike a letter through, underline it or enclose it. No script makes letters with them. */
const drawn = /[\u0330-\u0338\u035F-\u0362\u20D0-\u20F0]/g;
/** Line breaks and odd spaces separate words as a space does. */
const space = /[\s\u2800]/g;

/** Converts a text to one spelling: NFKC, lower case, no accents, no invisible characters. */
export function normalised(source: Reading): Reading {
  const { text } = source;
  if (isPrintable.test(text))
    return upperCase.test(text) ? respelled(source, text.toLowerCase()) : source;
  const changes = text.replace(cluster, spelled) !== text;
  const plain = (changes ? replaced(source, cluster, spelled) : undefined) ?? source;
  return upperCase.test(plain.text)
    ? respelled(
        plain,
        plain.text.replace(upperCaseRuns, (letters) => letters.toLowerCase()),
      )
    : plain;
}

/** Returns the text of `normalised` without positions. */
export function normalisedText(text: string): string {
  return text.replace(cluster, spelled).toLowerCase();
}

/** Resolves compatibility forms and removes invisible characters. Keeps the case, which encodings need. */
export function visibleForms(source: Reading): Reading {
  if (isPrintable.test(source.text)) return source;
  const isPlain = source.text.replace(cluster, visibleForm) === source.text;
  return (isPlain ? undefined : replaced(source, cluster, visibleForm)) ?? source;
}

/** Characters whose spelling is kept, and the longest with marks. Texts use far fewer. */
const kept = { texts: 20_000, longest: 4 };

const visibleForm = remembered((part) => {
  const plain = part.normalize("NFKC").replace(ignorable, "");
  // Adjacent Roman numeral characters would join into one number.
  return /[\u2160-\u2188]/.test(part) ? `${plain} ` : plain;
}, kept);

const spelled = remembered(
  (part) =>
    inIndexSpelling(
      part
        .normalize("NFKC")
        .replace(ignorable, "")
        .toLowerCase()
        .normalize("NFD")
        .replace(drawn, "")
        .replace(accented, "$1")
        .normalize("NFC")
        .replace(space, " "),
    ),
  kept,
);
