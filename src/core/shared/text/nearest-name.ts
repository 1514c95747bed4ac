/** Returns the known name that a misspelt one most likely means. Longer names may have more wrong letters. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(name.length / 6));
  const letters = lettersOf(name);
  const near = known
    .filter((one) => Math.abs(one.length - name.length) <= most)
    // A changed letter is one that only one name has, and another that only the other has. Most names end here.
    .filter((one) => bitsOf(lettersOf(one) ^ letters) <= 2 * most)
    .map((one) => ({ one, letters: distance(one, name) }))
    .filter(({ letters }) => letters <= most)
    .toSorted((a, b) => a.letters - b.letters);
  return near[0]?.one;
}

/** Returns a set of the letters of a name, one bit for each. Rare letters share a bit. */
function lettersOf(name: string): number {
  let letters = 0;
  for (let at = 0; at < name.length; at += 1) letters |= 1 << (name.charCodeAt(at) & 31);
  return letters;
}

function bitsOf(set: number): number {
  let count = 0;
  for (let left = set; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** Counts letters that are missing, added, changed or swapped with their neighbour. */
function distance(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1] ? 0 : 1;
      const swapped = one[row - 2] === other[column - 1] && one[row - 1] === other[column - 2];
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + same,
        swapped && row > 1 && column > 1 ? (before[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = last;
    last = next;
  }
  return last[other.length] ?? 0;
}
