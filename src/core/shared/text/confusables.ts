const twins: Readonly<Record<string, string>> = {
  a: "аα",
  c: "с",
  d: "ԁ",
  e: "е",
  g: "ց",
  h: "һհ",
  i: "іι",
  j: "ј",
  k: "κ",
  l: "ӏ",
  n: "ո",
  o: "оοօ",
  p: "рρ",
  q: "ԛ",
  s: "ѕ",
  t: "τ",
  u: "υս",
  v: "ѵν",
  w: "ԝ",
  x: "хχ",
  y: "уγ",
};

/**
 * Small letters of other alphabets that look like a Latin one in common fonts (UTS #39, confusables), each with that
 * letter. A use may add letters of its own, for example capitals or letters that only resemble a Latin one.
 */
export const confusables: ReadonlyMap<string, string> = new Map(
  Object.entries(twins).flatMap(([letter, signs]) =>
    Array.from(signs, (sign): [string, string] => [sign, letter]),
  ),
);
