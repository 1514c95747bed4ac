import type { Hasher } from "../hasher.ts";
import type { Outgoing } from "../hit.ts";
import { printable } from "../reading/printable.ts";
import type { TrustedReading } from "../reading/readings.ts";
import { shortestSolid } from "../reading/tokens.ts";
import { mostHexParts, piecesOf } from "./pieces.ts";

/** Bytes of letters, digits and signs. */
const bytesForm = /^(?:[2-7c-f][0-9a-f]|[89ab][0-9a-f])+$/;
const firstByte = /^[2-7c-f]/;

/** A decoded text whose encoded form was sent in pieces. */
export interface JoinedHex {
  text: string;
  /** The characters of the text that are from this piece. */
  newPart: { start: number; end: number };
}

/**
 * Joins hexadecimal pieces of this text with those of earlier ones. The pieces may cut through a byte, so a piece alone
 * may be a number like any other.
 */
export function joinedHex(
  { text, earlier }: Outgoing,
  readings: readonly TrustedReading[],
  hasher: Hasher,
): JoinedHex[] {
  const own = piecesOf(text, hasher, readings).hex.join("");
  if (own === "") return [];
  const before: string[] = [];
  for (let at = earlier.length - 1; at >= 0 && before.length < mostHexParts; at -= 1)
    before.push(...piecesOf(earlier[at] ?? "", hasher).hex.toReversed());
  const found: JoinedHex[] = [];
  let [forwards, backwards] = ["", ""];
  for (const part of before) {
    forwards = part + forwards;
    backwards += part;
    const least = shortestSolid * 2;
    if (forwards.length + own.length < least) continue;
    const joined = [
      { digits: forwards + own, start: forwards.length },
      { digits: own + backwards, start: 0 },
    ];
    for (const { digits, start } of joined) {
      const decoded = decodedFrom(digits);
      if (decoded === undefined) continue;
      const end = start + own.length;
      found.push({ text: decoded, newPart: { start: Math.floor(start / 2), end: end / 2 } });
    }
  }
  return found;
}

/** Decodes the bytes. The last half of a byte is left out. */
function decodedFrom(digits: string): string | undefined {
  const whole = digits.slice(0, digits.length - (digits.length % 2));
  if (!firstByte.test(whole) || !bytesForm.test(whole)) return undefined;
  return printable(Buffer.from(whole, "hex"));
}
