/** A run of letters and digits in a normalised text. */
export interface Token {
  text: string;
  start: number;
  end: number;
  hasDigit: boolean;
}

/** Runs of scripts without spaces are tokens of their own, because digits directly follow their letters. */
const tokenForm =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー])[\p{L}\p{N}\p{M}])+/gu;

// oxlint-disable-next-line no-control-regex -- the characters of ASCII
const ascii = /^[\u0000-\u007F]*$/;

export function tokensOf(text: string): Token[] {
  if (ascii.test(text)) return asciiTokens(text);
  return Array.from(text.matchAll(tokenForm), ({ 0: token, index }) => ({
    text: token,
    start: index,
    end: index + token.length,
    hasDigit: /\p{N}/u.test(token),
  }));
}

/** Does the same for ASCII, without a regular expression for each token. */
function asciiTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let start = -1;
  let hasDigit = false;
  for (let at = 0; at <= text.length; at += 1) {
    // Not a number at the end.
    const unit = text.charCodeAt(at);
    const isDigit = unit >= 0x30 && unit <= 0x39;
    const letter = unit | 0x20;
    if (isDigit || (letter >= 0x61 && letter <= 0x7a)) {
      if (start < 0) start = at;
      hasDigit ||= isDigit;
    } else if (start >= 0) {
      tokens.push({ text: text.slice(start, at), start, end: at, hasDigit });
      start = -1;
      hasDigit = false;
    }
  }
  return tokens;
}

/** A mail address or a URL in a normalised text. The scheme is left out, because people and models leave it out. */
export const placeForm =
  /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}|(?<=https?:\/\/)[^\s<>"'()]{4,400}/gu;

/** Dates, times, amounts and versions, which are frequent in mail and no secrets. */
const everydayForm =
  /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\s?\d{1,2}[-./]\s?\d{2,4}|\d{1,2}[:.]\d{2}|\d{1,3}(?:[.,]\d{3})*[.,]\d{1,2}|\d{1,2}(?:\.\d{1,2}){1,2})$/;

/** Years, round numbers and repeated digits say little alone. */
const commonNumber = /^(?:19\d\d|20\d\d|[1-9]0{3,}|0+|(\d)\1*)$/;

export function isEveryday(text: string): boolean {
  return everydayForm.test(text) || commonNumber.test(text);
}

/** Characters of codes and words. Shorter ones occur in too many texts to say anything. */
export const shortestSolid = 4;
export const longestSolid = 40;
export const shortestWord = 4;

/** Removes spaces and punctuation from a text in a script that needs neither. Empty for other scripts. */
export function withoutSpaces(text: string): string {
  return /[\u3040-\u30FF\u3400-\u9FFF]/.test(text) ? text.replace(/[^\p{L}\p{N}]+/gu, "") : "";
}
