import type { CalendarObject } from "../../ports/calendar/calendar-objects.ts";

/** Limit on cached ranges: enough for this month, the next one and an earlier one. */
const maxRanges = 4;

/** A range of time, in milliseconds since 1970. */
export interface TimeRange {
  from: number;
  to: number;
}

interface CachedRange extends TimeRange {
  tag: string;
  objects: readonly CalendarObject[];
}

export interface CollectionCache {
  /** Returns the objects that were read under this tag, if they cover the range. */
  find(tag: string, range: TimeRange): readonly CalendarObject[] | undefined;
  /** Stores the objects of a range. Unchanged objects keep their identity, so that they are not parsed again. */
  keep(
    tag: string,
    range: TimeRange,
    objects: readonly CalendarObject[],
  ): readonly CalendarObject[];
  clear(): void;
}

/** Creates the cache of one collection. Entries are valid while its tag (CTag and sync-token) is the same. */
export function createCollectionCache(): CollectionCache {
  let ranges: CachedRange[] = [];
  return {
    find: (tag, { from, to }) => {
      const found = ranges.find((one) => one.tag === tag && one.from <= from && one.to >= to);
      if (found !== undefined) ranges = [found, ...ranges.filter((one) => one !== found)];
      return found?.objects;
    },
    keep: (tag, range, objects) => {
      const before = new Map(ranges.flatMap((one) => one.objects).map((one) => [one.name, one]));
      const same = objects.map((object) => {
        const known = before.get(object.name);
        return known?.etag === object.etag && known.text === object.text ? known : object;
      });
      const others = ranges.filter(
        (one) => one.tag === tag && (one.from !== range.from || one.to !== range.to),
      );
      ranges = [{ ...range, tag, objects: same }, ...others].slice(0, maxRanges);
      return same;
    },
    clear: () => {
      // The objects are kept, because unchanged ones need not be parsed again.
      ranges = ranges.map((one) => ({ ...one, tag: "" }));
    },
  };
}
