import type { CalendarObject } from "../../ports/calendar/calendar-objects.ts";

/** Stretches of time that are kept: enough for this month, the next and a look back. */
const maxWindows = 4;

/** A stretch of time, in milliseconds since 1970. */
export interface Stretch {
  from: number;
  to: number;
}

interface Kept extends Stretch {
  tag: string;
  objects: readonly CalendarObject[];
}

export interface CollectionCache {
  /** What was read under this tag, where it covers the stretch. */
  find(tag: string, stretch: Stretch): readonly CalendarObject[] | undefined;
  /** Keeps what was read; unchanged objects become the values that were there before, so that nobody parses them again. */
  keep(
    tag: string,
    stretch: Stretch,
    objects: readonly CalendarObject[],
  ): readonly CalendarObject[];
  clear(): void;
}

/** Reads of one collection, good as long as its tag (CTag and sync-token) is the same. */
export function createCollectionCache(): CollectionCache {
  let windows: Kept[] = [];
  return {
    find: (tag, { from, to }) => {
      const found = windows.find((one) => one.tag === tag && one.from <= from && one.to >= to);
      if (found !== undefined) windows = [found, ...windows.filter((one) => one !== found)];
      return found?.objects;
    },
    keep: (tag, stretch, objects) => {
      const before = new Map(windows.flatMap((one) => one.objects).map((one) => [one.name, one]));
      const same = objects.map((object) => {
        const known = before.get(object.name);
        return known?.etag === object.etag && known.text === object.text ? known : object;
      });
      const others = windows.filter(
        (one) => one.tag === tag && (one.from !== stretch.from || one.to !== stretch.to),
      );
      windows = [{ ...stretch, tag, objects: same }, ...others].slice(0, maxWindows);
      return same;
    },
    clear: () => {
      // Not the objects: they still spare parsing what did not change.
      windows = windows.map((one) => ({ ...one, tag: "" }));
    },
  };
}
