import { wordsIn } from "../content-marks.ts";
import type { Hasher } from "../hasher.ts";
import type { Hit } from "../hit.ts";
import type { KnownContents } from "../known-contents.ts";
import type { GivenSource } from "../ledger.ts";
import { weightOf } from "./frequent-words.ts";
import { isDisguised } from "../spelling/disguised.ts";
import { type Rarity, isEnough } from "./rarity.ts";
import { spanOf } from "./reading.ts";
import type { TrustedReading } from "./readings.ts";
import { type Token, isUnspaced } from "./tokens.ts";

/** A shorter word that equals another one backwards is a coincidence. Characters. */
const shortestReversedWord = 6;
/** A word in so many more items than a rare word counts as common. Below that number, items of one mail count once. */
const moreContents = 4;
/**
 * The share of its weight that a word of the subject, the sender or a website keeps. A harmless question about a mail
 * names its topic.
 */
const topicShare = 0.4;
/** The least weight of a word of the text that is not in the item. It shows that the text has another topic. */
const leastElsewhere = 0.2;
/** Limit on words of one text that are looked up. */
const mostWords = 400;

const isLong = (token: Token): boolean =>
  !token.hasDigit && token.text.length >= shortestReversedWord && !isUnspaced(token);

interface Known {
  /** Undefined until it is needed. */
  weight: number | undefined;
  hash: number;
  /** The newest items with the word. Undefined if it is in too many. */
  found: readonly number[] | undefined;
  /** Whether the text has the word only in a form that is hard to recognise. Undefined until it is needed. */
  isDisguised: boolean | undefined;
  /** The last reading with the word. */
  reading: TrustedReading | undefined;
}

interface OfContent {
  source: GivenSource;
  words: { token: Token; weight: number; isDisguised: boolean }[];
  /** The end of the last word and the highest weight of the compound that it belongs to. */
  compound: { end: number; weight: number };
  /** The weight of the words of the text that the item has, and the last of these words. */
  shared: number;
  last: Token | undefined;
}

/**
 * Highest weights of Japanese and Chinese words, by their length. The lists contain no Japanese, and most of its words
 * with two characters are frequent.
 */
const unspacedWeights: Readonly<Record<number, number>> = { 2: 0.6, 3: 0.8 };

function weightOfUnspaced(text: string): number {
  return Math.min(weightOf(text), unspacedWeights[text.length] ?? 1);
}

/**
 * Returns the weight that the earlier words of a compound have in common with this word. A compound such as the one for
 * a health check counts as much as its rarest word, because it is one topic.
 */
function weightBefore({ compound }: OfContent, token: Token, weight: number): number {
  const isCompound = isUnspaced(token) && compound.end === token.start;
  const before = isCompound ? Math.min(weight, compound.weight) : 0;
  compound.weight = isCompound ? Math.max(weight, compound.weight) : weight;
  compound.end = token.end;
  return before;
}

/**
 * Returns a function that finds the words of a reading in the items. Each word is looked up once.
 * @param text the outgoing text, of which the first reading is the unchanged one
 * @returns a function. `isJoined`: the reading was separated into words of items
 */
export function createWordFinder(
  { contents, hasher }: { contents: KnownContents; hasher: Hasher },
  { text: outgoing, mails, rarity }: { text: string; mails: number; rarity: Rarity },
): (reading: TrustedReading, how?: { isJoined: boolean }) => Hit[] {
  const rare = Math.max(rarity.word.atMost, mails * rarity.word.share);
  const mostContents = Math.floor(rare) + moreContents;
  const common = contents.wordsInMoreThan(rare);
  const known = new Map<string, Known>();
  let readingCount = 0;

  function lookUp(text: string): Known {
    const before = known.get(text);
    if (before !== undefined) return before;
    const hash = hasher.token(text);
    const made: Known = {
      weight: undefined,
      hash,
      found: rareContents(hash),
      isDisguised: undefined,
      reading: undefined,
    };
    known.set(text, made);
    return made;
  }

  /** Returns the newest items with the word. Undefined if it is in too many. */
  function rareContents(hash: number): readonly number[] | undefined {
    if (common.has(hash)) return undefined;
    const all = contents.withWord(hash, mostContents);
    if (all.length < mostContents && (all.length <= rare || mailsOf(all) <= rare)) return all;
    common.add(hash);
    return undefined;
  }

  /** Returns false for a token that is no long word of an item. */
  function mayBeKnown(token: Token): boolean {
    return isLong(token) && contents.mayHaveWord(hasher.token(token.text));
  }

  function mailsOf(found: readonly number[]): number {
    const ids: string[] = [];
    for (const content of found) {
      const source = contents.sourceOf(content);
      if (source?.kind === "mail" && !ids.includes(source.id)) ids.push(source.id);
    }
    return ids.length;
  }

  return (reading, { isJoined } = { isJoined: false }) => {
    // Words of such a reading are known ones by choice, or come from a cipher that is tried on every text.
    const isByChance = isJoined || reading.trust === "guess";
    const isPlain = reading.trust === "plain";
    // Hardly any other reading has a known word, so no lists are made for it.
    if (!isPlain && !reading.tokens().some(mayBeKnown)) return [];
    const tokens = isPlain ? wordsIn(reading.tokens()) : reading.tokens().filter(isLong);
    const looked: Known[] = [];
    const words: Token[] = [];
    let isFound = false;
    for (let at = 0; at < tokens.length && at < mostWords; at += 1) {
      const token = tokens[at];
      if (token === undefined) continue;
      const word = lookUp(token.text);
      if (word.reading === reading) continue;
      word.reading = reading;
      // A word that is in too many items proves nothing.
      if (word.found === undefined) continue;
      isFound ||= word.found.length > 0;
      looked.push(word);
      words.push(token);
    }
    // Most readings have no word of any item.
    if (!isFound) return [];
    const byId = new Map<string, OfContent>();
    let whole = 0;
    for (let at = 0; at < words.length; at += 1) {
      const [token, known] = [words[at], looked[at]];
      if (token === undefined || known?.found === undefined) continue;
      known.weight ??= isUnspaced(token) ? weightOfUnspaced(token.text) : weightOf(token.text);
      const { weight } = known;
      const elsewhere = Math.max(leastElsewhere, weight);
      whole += elsewhere;
      for (const content of known.found) {
        const source = contents.sourceOf(content);
        if (source === undefined) continue;
        let own = byId.get(source.id);
        if (own === undefined) {
          const compound = { end: -1, weight: 0 };
          byId.set(source.id, (own = { source, words: [], shared: 0, last: undefined, compound }));
        }
        // Another item of the same source has the word too.
        if (own.last === token) continue;
        own.last = token;
        own.shared += elsewhere;
        if (weight === 0) continue;
        if (!isByChance) known.isDisguised ??= isDisguised(reading, token, outgoing);
        const full = contents.isTopic(content, known.hash) ? weight * topicShare : weight;
        own.words.push({
          token,
          weight: full - weightBefore(own, token, full),
          isDisguised: !isByChance && known.isDisguised === true,
        });
      }
    }
    readingCount += 1;
    return [...byId.values()]
      .filter(({ words: own, shared }) => own.length > 0 && isEnough(own, whole - shared, rarity))
      .flatMap(({ source, words: own, shared }) =>
        own.map(({ token: { text, start, end }, weight, isDisguised: isHidden }): Hit => ({
          kind: "word",
          text,
          terms: [text],
          span: spanOf(reading, start, end),
          sources: [source],
          weight,
          isDisguised: isHidden,
          group: `${source.id} ${readingCount}`,
          elsewhere: whole - shared,
        })),
      );
  };
}
