/** Words with the same beginning mean nearly the same: "coverage" and "covered". Letters. */
const shortestBeginning = 4;
/** The least share of the longer word that the beginning has. Otherwise "contract" is like "contact". */
const leastShare = 0.6;

/** Creates a function that returns the stems of tools with the same beginning as a stem, without the stem itself. */
export function similarStems(stems: Iterable<string>): (stem: string) => readonly string[] {
  const groups = new Map<string, string[]>();
  for (const stem of stems) {
    if (stem.length < shortestBeginning) continue;
    const beginning = stem.slice(0, shortestBeginning);
    groups.set(beginning, [...(groups.get(beginning) ?? []), stem]);
  }
  return (stem) =>
    (groups.get(stem.slice(0, shortestBeginning)) ?? []).filter(
      (other) =>
        other !== stem &&
        sameLetters(stem, other) >= leastShare * Math.max(stem.length, other.length),
    );
}

/** Returns the number of first letters that two words share. */
function sameLetters(one: string, other: string): number {
  let count = 0;
  while (count < one.length && one[count] === other[count]) count += 1;
  return count;
}
