/**
 * Returns a function that keeps its results for short texts. Outgoing texts repeat characters, words and years.
 * @param limits.texts the number of kept results, after which all are dropped
 * @param limits.longest the longest text whose result is kept, in UTF-16 units
 */
export function remembered<Result>(
  make: (text: string) => Result,
  { texts, longest }: { texts: number; longest: number },
): (text: string) => Result {
  const known = new Map<string, { result: Result }>();
  return (text) => {
    if (text.length > longest) return make(text);
    const found = known.get(text);
    if (found !== undefined) return found.result;
    const result = make(text);
    if (known.size >= texts) known.clear();
    // A part of a text would keep the whole text in memory.
    known.set(Buffer.from(text, "utf16le").toString("utf16le"), { result });
    return result;
  };
}
