import { signInWords } from "./code-words.ts";
import { occurs, type TextRange } from "./found.ts";

/** Characters between the name of a code and the code. */
const nearCharacters = 260;
/** A code after more text of the same line belongs to another sentence. Characters. */
const inlineCharacters = 90;

/** The words that may join the name of a code and the code. */
const joint =
  /^[\s\p{P}\p{S}]*(?:(?:is|are|was|will be|lautet|ist|wäre|est|es|sera|é|e|será|below|here|follows|following|now|wie|folgt|suivant|siguiente|seguinte|a|seguir|for|to|für|zur|zum|pour|para|by|from|your|this|the|code|login|sign|in|number|als|:|は|が|です|次の|とおり|通り|こちら|以下|如下|下記|为|為|是|您的|你的)[\s\p{P}\p{S}]*){0,6}$/iu;
/** The same with the purpose of the code, after `to` or `for`. */
const purpose =
  /^\s*(?:for|to|für|zur|zum|pour|para|de|do|da|von|del|from|bei|sur|en|em|at|on|with|d['’])\s?[^\n.]{1,60}?(?:\s(?:is|are|lautet|ist|est|es|é)\b|[:：])[\s\p{P}\p{S}]*$/iu;
/** The same if the name follows the code: `482913 is your ... code`. */
const after =
  /^[\s"'”’»)」』】\]*_]*(?:(?:is|ist|est|es|é|e|as|als|:|-|–|—|\||は|が|を|为|為|是|\(|（)[\s"'“‘«*_]*)(?:[^\n.。]{0,45}?)$/iu;

/** The relation of a code's name to a candidate. */
export interface Nearness {
  isNear: boolean;
  isTied: boolean;
  /** True if the sentence is about signing in. */
  isToSignIn: boolean;
  /** True if the name follows `your` or `here is`. */
  isGiven: boolean;
}

const given =
  /(?:\b(?:your|here['’]?s?(?:\s+is)?(?:\s+the)?|this\s+is(?:\s+the)?|ihre?|deine?|votre|ton|voici(?:\s+le)?|tu|su|el|seu|sua|teu|o)\s+(?:new\s+|neuer?\s+|[\p{L}.]{2,20}\s+)?|(?:您|你|あなた)的?の?)$/iu;

function tied(text: string, noun: TextRange): Nearness {
  return {
    isNear: true,
    isTied: true,
    isToSignIn: signsIn(text, noun),
    isGiven: given.test(text.slice(Math.max(0, noun.start - 40), noun.start)),
  };
}

/** Returns whether one of the names is near the candidate, and whether only joining words are between them. */
export function nearest(
  text: string,
  one: TextRange,
  nouns: readonly TextRange[],
  isAlone: boolean,
): Nearness {
  let isNear = false;
  let isToSignIn = false;
  for (const { start, end } of around(nouns, one)) {
    // A code may contain its own name.
    if (end > one.start && start < one.end) continue;
    if (end <= one.start) {
      if (one.start - end > nearCharacters) continue;
      const gap = text.slice(end, one.start);
      if (gap.length <= 110 && (joint.test(gap) || purpose.test(gap)))
        return tied(text, { start, end });
      if (isAlone || (gap.length <= inlineCharacters && !gap.includes("\n"))) {
        isNear = true;
        isToSignIn ||= signsIn(text, { start, end });
      }
    } else if (start - one.end <= nearCharacters) {
      const gap = text.slice(one.end, start);
      if (gap.length <= 60 && after.test(gap)) return tied(text, { start, end });
      if (isAlone || (gap.length <= inlineCharacters && !/[.\n。]/.test(gap))) {
        isNear = true;
        isToSignIn ||= signsIn(text, { start, end });
      }
    }
  }
  return { isNear, isTied: false, isToSignIn, isGiven: false };
}

/** Most names on each side of a code that are read, nearest first. */
const mostNouns = 6;

function around(nouns: readonly TextRange[], { start }: TextRange): TextRange[] {
  let low = 0;
  let high = nouns.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((nouns[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  const before = nouns.slice(Math.max(0, low - mostNouns), low).toReversed();
  return [...before, ...nouns.slice(low, low + mostNouns)];
}

/** Returns whether the sentence with a name is about signing in. */
function signsIn(text: string, { start, end }: TextRange): boolean {
  const before =
    text
      .slice(Math.max(0, start - 160), start)
      .split(/[\n.!?。！？]/)
      .at(-1) ?? "";
  const behind = text.slice(end, end + 160).split(/[\n.!?。！？]/, 1)[0] ?? "";
  return occurs(signInWords, before + behind);
}
