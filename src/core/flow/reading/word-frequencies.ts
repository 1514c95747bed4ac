import type { Frequencies, Ledger } from "../ledger.ts";

/** How long a count is used. New mail changes it little in this time. Milliseconds. */
const lastsMs = 600_000;
const mostWords = 20_000;

interface CachedCount {
  count: number;
  at: number;
}

/** Creates the frequencies of words in the mail index, each read at most once in ten minutes. */
export function createWordFrequencies(ledger: Pick<Ledger, "frequencies">, now: () => number) {
  const words = new Map<string, CachedCount>();
  let mails: CachedCount | undefined;

  const isFresh = (known: CachedCount | undefined): known is CachedCount =>
    known !== undefined && now() - known.at < lastsMs;

  return async (asked: readonly string[]): Promise<Frequencies> => {
    const missing = asked.filter((word) => !isFresh(words.get(word)));
    if (missing.length > 0 || !isFresh(mails)) {
      const found = await ledger.frequencies(missing);
      const at = now();
      mails = { count: found.mails, at };
      if (words.size > mostWords) words.clear();
      for (const word of missing) words.set(word, { count: found.of(word), at });
    }
    return { mails: mails.count, of: (word) => words.get(word)?.count ?? 0 };
  };
}
