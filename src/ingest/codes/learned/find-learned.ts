import { inflateRawSync } from "node:zlib";
import { anyBegins } from "../beginnings.ts";
import { isAloneOnLine } from "../candidates.ts";
import { beginningOf, groupsIn, hasSign, textSigns } from "../text-pass.ts";
import { endsSubscription } from "../link-words.ts";
import type { TextRange } from "../text-ranges.ts";
import { featurePlaces, type Features } from "./feature-sums.ts";
import { isBesideName } from "./beside-candidate.ts";
import { belowSubject, type Examined, examine, sumOfLength } from "./features.ts";
import { Network } from "./network.ts";
import { inHan } from "./other-forms.ts";
import { packedWeights } from "./weights.ts";
import { wideCandidatesIn } from "./wide-candidates.ts";
import { letterGroupsIn } from "./word-codes.ts";

/** The sum of weights from which a candidate counts as a code. Chosen with messages that were not used for learning. */
const enough = -1;
/** Raises the sum that a link needs. Notices about an account have links too, and few of them open it. */
const moreForLink = 0.5;
/** The least sum of a candidate's own sentence and form. The message around it alone is not enough. */
const enoughOwn = -2;
/**
 * The least result of the network for the same part, if the sum is lower. Words that were learned from other messages
 * lower the sum of a short sentence, and the network does not know them.
 */
const enoughOwnNetwork = -1;
/** Each plausible candidate over this number raises the needed sum, because lists and logs are no mail about a code. */
const usualCandidates = 4;
const forEachCandidate = 0.25;
/** The sum of a plausible candidate. The numbers of an ordinary footer have less. */
const plausible = -2;
/**
 * Each thousand characters between these lengths raises the needed sum. Without a highest length, a plain sign-in code
 * above a long history would stay readable.
 */
const usualCharacters = 1_500;
const mostCharacters = 25_000;
const forThousandCharacters = 0.1;
/** The least sum of a candidate's own sentence and form with which its paragraph is judged as a message of its own. */
const enoughAlone = 0.5;
/** Below this sum a candidate is no code, even if a rule says so. */
const tooLittle = -5;
/** The part of a text that is searched, from its beginning. Characters. */
export const searched = 60_000;
/** One unit of a stored weight. */
export const weightUnit = 1 / 32;

/** Signed bytes: the weights that are added up, one for each place of a feature, then those of the network. */
export type Weights = Int8Array;

const learned: Weights = new Int8Array(
  inflateRawSync(Buffer.from(packedWeights.join(""), "base64")),
);

/**
 * The shares of what is added up, all of it and that of the candidate's own sentence and form, and of the network. The
 * network for the own part alone counts against the rest. All were chosen by leaving out each set in turn.
 */
const shares = { added: 0.5, own: 0.3, network: 0.4, ownNetwork: -0.25 };

export interface Learned {
  /** Codes, passwords and links. */
  found: readonly TextRange[];
  /** Returns whether a place that a rule found is something else. */
  denies: (place: TextRange) => boolean;
  /** Candidates whose own sentence says that they are codes, whatever the rest of the message says. */
  likely: readonly TextRange[];
  /** Whether a candidate may be a code in another message around it. */
  isPossible: boolean;
}

const nothing: Learned = { found: [], denies: () => false, likely: [], isPossible: false };

/**
 * Judges candidates by weights that were learned from the messages in `test/fixtures/codes`. The weights recognise
 * wordings that no rule contains. `npm run codes:learn` writes them.
 * @param whole subject and text, see `examine`. Found places are in it.
 * @param more raises the needed sum
 */
export function judgeLearned(
  whole: string,
  subjectLength: number,
  weights: Weights = learned,
  more = 0,
): Learned {
  const text = beginningOf(whole, searched);
  const examined = examine(text, subjectLength, weights);
  if (examined.length === 0) return nothing;
  const network = new Network(weights.subarray(featurePlaces), weightUnit);
  const known = new Map<Features, Float64Array>();
  const inputsOf = (features: Features): Float64Array => {
    const inputs = known.get(features) ?? network.inputsOf(features.concepts);
    known.set(features, inputs);
    return inputs;
  };
  const ownResultOf = ({ own }: Examined): number => network.resultOf([inputsOf(own)]);
  const isOwn = (one: Examined): boolean =>
    (one.own.sum * weightUnit >= enoughOwn || ownResultOf(one) >= enoughOwnNetwork) &&
    !(one.isLink && endsSubscription(text.slice(one.start, one.end)));
  const judge = (one: Examined): Judged => {
    const { start, end, shared, own, isLink } = one;
    const all = [own, ...shared()];
    const added = all.reduce((total, { sum }) => total + sum, 0) * weightUnit;
    const sum =
      shares.added * added +
      shares.own * own.sum * weightUnit +
      shares.network * network.resultOf(all.map(inputsOf)) +
      shares.ownNetwork * ownResultOf(one);
    return { start, end, sum, isOwn: isOwn(one), isLink };
  };
  let all: readonly Judged[] | undefined;
  const judged = (): readonly Judged[] => (all ??= examined.map(judge));
  return {
    // The words around the candidates cost most of the time.
    found: examined.some(isOwn) ? foundIn(judged(), text.length, more) : [],
    denies: ({ start, end }) =>
      judged().some((one) => one.start <= start && one.end >= end && one.sum < tooLittle),
    likely: examined.filter(({ own }) => own.sum * weightUnit >= enoughAlone),
    isPossible: examined.some(({ own }) => own.sum * weightUnit >= enoughOwn - ofOthers),
  };
}

/**
 * The most that the other candidates of a text, and quotations in it, add to the sum of a candidate's own sentence and
 * form. They seldom add anything.
 */
const ofOthers = 0.5;

const ofMany = textSigns.digit | textSigns.slashes | textSigns.hyphen | textSigns.capitals;

/**
 * Returns whether any search may find something in a text. If not, the other patterns need not be searched, and V8 need
 * not compile them and the code around them. In most imports that takes longer than the searches.
 */
export const mayHaveCode = (text: string): boolean =>
  // The end of the part that is searched may be that of a code.
  text.length > searched ||
  hasSign(text, ofMany) ||
  anyBegins(text) ||
  (hasSign(text, textSigns.han) && inHan(text).length > 0) ||
  (groupsIn(text).length > 0 && letterGroupsIn(text).length > 0);

/** Returns whether a part of a text has the form of a code. */
export const hasCandidate = (text: string): boolean => wideCandidatesIn(text).length > 0;

/**
 * Returns a function that tells whether a part of a subject with a candidate may be a code, whatever the text below it
 * says. Its argument is the number of characters of the text. The subject is read once for texts of every length.
 */
export function judgeSubject(subject: string): (characters: number) => boolean {
  // One character replaces the text. A candidate that is alone in the subject is read with the line below it.
  const whole = `${subject}${belowSubject}.`;
  const judged = examine(whole, subject.length, learned).map((one) => ({
    isAlone: isAloneOnLine(whole, one) || isBesideName(subject.length, one),
    isLink: one.isLink,
    sum: one.own.sum - sumOfLength(one.isLink, 1, learned),
  }));
  return (characters) =>
    judged.some(
      ({ isAlone, isLink, sum }) =>
        isAlone ||
        (sum + sumOfLength(isLink, characters, learned)) * weightUnit >= enoughOwn - ofOthers,
    );
}

function foundIn(judged: readonly Judged[], characters: number, more: number): TextRange[] {
  const count = judged.filter(({ sum }) => sum >= plausible).length;
  const needed =
    enough +
    more +
    Math.max(0, count - usualCandidates) * forEachCandidate +
    (Math.max(0, Math.min(characters, mostCharacters) - usualCharacters) / 1_000) *
      forThousandCharacters;
  return judged.filter(
    ({ sum, isOwn, isLink }) => isOwn && sum >= needed + (isLink ? moreForLink : 0),
  );
}

interface Judged extends TextRange {
  sum: number;
  /** Whether its own sentence and form are enough. */
  isOwn: boolean;
  isLink: boolean;
}
