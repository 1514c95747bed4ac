import { settings } from "./settings.ts";

/** Beginnings that no other program uses: whatever begins so was meant for us. */
const ownBeginnings = [
  "COUNTERSIGN_",
  "INGEST_",
  "CALDAV_",
  "APPROVAL_",
  "TOOL_CALLS_",
  "HIGH_RISK_",
];

/** The setting that a name was probably meant to be. Longer names may have more wrong letters. */
function nearest(name: string): string | undefined {
  const most = Math.max(1, Math.floor(name.length / 6));
  return Object.keys(settings).find(
    (known) => Math.abs(known.length - name.length) <= most && distance(known, name) <= most,
  );
}

/** Letters left out, added, changed or swapped with their neighbour. */
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

/**
 * Remarks about names that are nearly settings: set, and without effect. The process environment is full of other programs'
 * names, so that there only our own beginnings count; a file of ours is meant for us.
 */
export function misspelled(names: readonly string[], from: "file" | "environment"): string[] {
  return names
    .filter((name) => !Object.hasOwn(settings, name))
    .flatMap((name) => {
      const isOurs = ownBeginnings.some((beginning) => name.startsWith(beginning));
      const meant = isOurs || from === "file" ? nearest(name) : undefined;
      if (!isOurs && meant === undefined) return [];
      const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
      return [`${name} is set and is no setting: it has no effect.${hint}`];
    });
}
