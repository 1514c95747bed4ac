/**
 * Cut so that the text costs about this many tokens at most, with an ellipsis in place of the rest. A guess on the high
 * side: Latin letters at three and a half a token, anything else one and a third each.
 */
export function fitText(text: string, tokens: number): string {
  let cost = 0;
  let end = 0;
  for (const character of text) {
    cost += /[A-Za-z ]/.test(character) ? 0.28 : character <= "~" ? 0.6 : 1.3;
    if (cost > tokens) return `${text.slice(0, end).trimEnd()}…`;
    end += character.length;
  }
  return text;
}
