import { associations } from "./lists/associations.ts";

/** The parts of the list: entries, and the words of an entry. */
export const betweenEntries = "|";
export const betweenWords = " ";
/** The evidence of one step. A digit before each word of a tool is the number of steps. */
export const evidenceStep = 0.5;

type Associated = readonly (readonly [stem: string, evidence: number])[];

/** The first search reads the list. Most processes search nothing. */
let known: ReadonlyMap<string, Associated> | undefined;

/**
 * Returns the stems of tools that were right for the written requests with a stem, and the evidence for each. They are
 * mostly no synonyms: who asks for the landlord's answer needs a mailbox.
 */
export function associatedStems(stem: string): Associated {
  known ??= associationsIn(associations.join(betweenEntries));
  return known.get(stem) ?? [];
}

function associationsIn(list: string): ReadonlyMap<string, Associated> {
  return new Map(
    list.split(betweenEntries).map((entry) => {
      const [stem = "", ...found] = entry.split(betweenWords);
      return [stem, found.map((each) => [each.slice(1), Number(each.charAt(0)) * evidenceStep])];
    }),
  );
}
