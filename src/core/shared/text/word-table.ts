/**
 * Returns a table that has only the given words. Any object also has inherited names, such as `constructor`, and an
 * untrusted text may consist of one.
 */
export function wordTable<Value>(
  words: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  return Object.assign(Object.create(null) as Record<string, Value>, words);
}
