import { candidatesIn } from "./candidates.ts";
import type { TextRange } from "./found.ts";

const name = String.raw`(?:codes?|c[óo]digos?|codice|kod|otp|コード|認証コード|验证码|驗證碼|码)`;
/** A subject that is only the name of a code, or a name and one more word, as people write who pass it on. */
const bareName = new RegExp(
  String.raw`^\s*(?:(?:re|fwd?|r|i|wg|aw|tr|rv|enc|vs|odp|pd)\s*:\s*)*(?:(?:the|your|my|der|dein|mein|le|ton|el|tu|il|o|seu|de|je)\s+)?${name}(\s+[\p{L}\d+]{2,12})?[\s.!?:…]*$`,
  "u",
);
/** A subject of this kind is shorter. Characters. */
const longestSubject = 50;
/** Longest message that is about nothing else, without quoted lines. Characters. */
const shortMessage = 120;
/** Digits of a code of this kind: six or eight, also in two groups, or four to eight in a message of a few words. */
const typical = /^(?:\d{6}|\d{3}[ -]\d{3}|\d{8}|\d{4}[ -]\d{4})$/;
const fewWords = 60;

/** Finds the only value of a short message whose subject is only the name of a code. */
export function findBare(subject: string, text: string): TextRange[] {
  if (subject.length > longestSubject) return [];
  const named = bareName.exec(subject.toLowerCase());
  if (named === null) return [];
  const own = text.replace(/^[ \t]*>[ \t]?/gm, "").trim();
  if (own.length > shortMessage) return [];
  const [one, ...others] = candidatesIn(text).filter(
    ({ start, end, kind }) =>
      kind !== "word" &&
      ((own.length <= fewWords && named[1] === undefined) || typical.test(text.slice(start, end))),
  );
  return one === undefined || others.length > 0 ? [] : [one];
}
