import { withRanges } from "./letters.ts";
import { alignedLowerCase } from "./text-forms.ts";
import type { TextRange } from "./text-ranges.ts";

/** The words before the last digits of a number that the reader knows. */
const lastDigits =
  /(?:end(?:ing|s)(?:\s+(?:in|with))?|last\s+(?:\S+\s+)?digits|end(?:et|end|ung)(?:\s+(?:auf|mit))?|endziffern?|(?:se\s+)?(?:termin|finit|finis|finali[sz])\S*(?:\s+(?:par|en|em|con|com|per|in|con))?|final|eindig\S*(?:\s+op)?|kończ\S*(?:\s+się)?(?:\s+na)?|оканчива\S*(?:\s+на)?|slutar(?:\s+på)?|末尾|下\s?\d\s?桁(?:が|は)?|尾号(?:为|是)?|尾號(?:為|是)?|末四位)[\s:：*•·x.…#-]{0,12}$/;

/** A number that is masked up to its last digits, such as `*2207`. */
const masked = withRanges(String.raw`(?<![\p{L}\d])[*•xX·]{1,12}[ -]?$`);
/** The beginning of a telephone number. */
const prefixOfPhone = /(?<![\d:.,])(?:0\d{1,4}[ /-]|\+\d{1,4}(?: ?\d{1,4})?[ /-]|\(\d{2,5}\) ?)$/;
/** The same before digits without a blank. */
const area = /(?:\(0?\d{2,4}\) ?|(?<![\d:.,-] ?)0\d{2,4} )$/;
const restOfPhone = /^\d{6,7}$|^\d{3,4}-\d{4}$/;
/** A telephone number with hyphens. */
const wholePhone = /^0\d{1,4}-\d{1,4}-\d{3,4}$/;

/** Returns whether digits end a telephone number, or are the last ones of a number that the reader knows. */
export function isEndOfNumber(text: string, { start, end }: TextRange): boolean {
  const value = text.slice(start, end);
  if (!/^\d[\d -]*$/.test(value)) return false;
  const before = text.slice(Math.max(0, start - 40), start);
  if (value.length <= 5 && lastDigits.test(alignedLowerCase(before))) return true;
  if (value.length <= 4 && masked.test(before) && text[end] !== "*") return true;
  if (wholePhone.test(value)) return true;
  return value.includes(" ")
    ? prefixOfPhone.test(before)
    : restOfPhone.test(value) && area.test(before);
}
