/**
 * Returns a function that does its work once for all calls with the same arguments in one turn of the event loop, and
 * gives them the same result. Simultaneous calls have arrived before the turn began. So the shared work sees everything
 * that happened before any of them was sent.
 */
export function onceInATurn<Args extends readonly string[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  const results = new Map<string, Result>();
  return (...args) => {
    const key = JSON.stringify(args);
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = work(...args);
    results.set(key, result);
    queueMicrotask(() => results.delete(key));
    return result;
  };
}
