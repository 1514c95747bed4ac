import { sentCharacters } from "./ledger.ts";
import { mostEarlierTexts } from "./pieces/sent-in-pieces.ts";

/**
 * Texts that may be sent and are not recorded yet. Otherwise several simultaneous calls could each send a piece of a
 * secret, because no check would see the pieces of the others.
 */
export interface LeavingTexts {
  /** Enters a text, and returns those that were entered before for the same caller and destination. */
  enter(text: LeavingText): readonly string[];
  /** Removes a text that is recorded, or whose call needs approval. */
  remove(text: LeavingText): void;
}

interface LeavingText {
  principal: string;
  destination: string;
  text: string;
}

/**
 * Creates the list. A text stays if its call ended before it was sent, until newer texts replace it. The caller meant to
 * send it, so comparing with it does no harm.
 */
export function createLeavingTexts(): LeavingTexts {
  const leaving = new Map<string, Set<string>>();
  const keyOf = ({ principal, destination }: LeavingText): string =>
    JSON.stringify([principal, destination]);

  return {
    enter: (entered) => {
      const key = keyOf(entered);
      const texts = leaving.get(key) ?? new Set();
      leaving.set(key, texts);
      const own = endOf(entered);
      const before = [...texts].filter((text) => text !== own);
      texts.add(own);
      const [oldest] = texts;
      if (texts.size > mostEarlierTexts && oldest !== undefined) texts.delete(oldest);
      return before;
    },
    remove: (removed) => {
      const key = keyOf(removed);
      const texts = leaving.get(key);
      texts?.delete(endOf(removed));
      if (texts?.size === 0) leaving.delete(key);
    },
  };
}

/** Returns the part of a text that its record has too. */
function endOf({ text }: LeavingText): string {
  return text.slice(-sentCharacters);
}
