import type { Hasher } from "../hasher.ts";
import type { KnownContents } from "../known-contents.ts";
import { runLength } from "../mark-hashes.ts";
import {
  type Cipher,
  digitCiphers,
  otherCiphers,
  shifted,
  shiftedUnit,
} from "../spelling/ciphers.ts";
import { respelled } from "./reading.ts";
import { type TrustedReading, trusted } from "./readings.ts";
import { type Token, isPrintable } from "./tokens.ts";

interface Known {
  contents: KnownContents;
  hasher: Hasher;
}

/** Longest text, in characters and words. */
const longestText = 2_400;
const mostWords = 200;

/**
 * Deciphers a text with each of Caesar's ciphers and Atbash. Returns those results that have known words in a row or a
 * possible code. Most texts have none.
 */
export function deciphered(first: TrustedReading, known: Known): TrustedReading[] {
  if (first.text.length > longestText) return [];
  const tokens = isPrintable.test(first.text)
    ? first.tokens()
    : first.tokens().filter(({ text }) => isAscii.test(text));
  const letters = (isTelling.test(first.text) ? (first.text.match(chain) ?? []) : [])
    .filter((code) => isTelling.test(code) && hasLetter.test(code))
    .map((code) => code.replace(separators, ""))
    .filter((code) => code.length >= shortestCode)
    .map((code) => code.replace("@", ""));
  const hasCode = (cipher: Cipher): boolean =>
    letters.some((code) => mayBeCode(code, cipher, known));
  return [
    ...otherCiphers.filter((cipher) => hasRun(tokens, cipher, known) || hasCode(cipher)),
    ...digitCiphers.filter(hasCode),
  ].map((cipher) => trusted(respelled(first, shifted(first.text, cipher)), "cipher"));
}

const isAscii = /^[a-z0-9]+$/;
const chain = /[a-z0-9]+(?:[-._/#*!+~^&@\\][a-z0-9]+)*/g;
const separators = /[^a-z0-9@]/g;
const hasLetter = /[a-z]/;
/** A digit, or the sign of an address. */
const isTelling = /[\d@]/;
/** A shorter code would match one of so many ciphers by chance. Characters. */
const shortestCode = 6;

/** Returns whether enough words in a row for a match may be known. */
function hasRun(tokens: readonly Token[], cipher: Cipher, known: Known): boolean {
  // Every run contains one of these words, so that few words are looked up.
  for (let at = runLength - 1; at < Math.min(tokens.length, mostWords); at += runLength) {
    if (!isKnown(tokens[at], cipher, known)) continue;
    let [start, end] = [at, at + 1];
    while (at - start < runLength && isKnown(tokens[start - 1], cipher, known)) start -= 1;
    while (end - at < runLength && isKnown(tokens[end], cipher, known)) end += 1;
    if (end - start >= runLength) return true;
  }
  return false;
}

/** Returns whether an item has a word after a cipher. A comparison asks this for hundreds of words. */
function isKnown(token: Token | undefined, cipher: Cipher, { contents, hasher }: Known): boolean {
  return token !== undefined && contents.mayHaveWord(hasher.cipheredToken(token.text, cipher));
}

/** Returns whether a part of a text that is long enough for a match may be known. */
function mayBeCode(text: string, cipher: Cipher, { contents, hasher }: Known): boolean {
  let known = 0;
  for (let at = 0; at + 1 < text.length; at += 1) {
    const pair = hasher.pair(
      shiftedUnit(text.charCodeAt(at), cipher),
      shiftedUnit(text.charCodeAt(at + 1), cipher),
    );
    known = contents.hasPair(pair) ? known + 1 : 0;
    if (known >= shortestCode - 1) return true;
  }
  return false;
}
