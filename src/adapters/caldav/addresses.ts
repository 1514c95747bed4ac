import type { TimeRange } from "./collection-cache.ts";
import type { Collection } from "./discover.ts";

const dayMs = 86_400_000;

/**
 * Extends a range to whole months with two days of margin, so that queries about near days share one response in every
 * zone.
 */
export function wholeMonths(from: Date, to: Date): TimeRange {
  const end = new Date(to.getTime() - 1);
  return {
    from: Date.UTC(from.getUTCFullYear(), from.getUTCMonth()) - 2 * dayMs,
    to: Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1) + 2 * dayMs,
  };
}

/** Returns the name of a direct member of the collection. Undefined for any other URL. */
export function nameIn(collection: Collection, href: string): string | undefined {
  const base = decodePath(new URL(collection.url).pathname);
  const path = decodePath(new URL(href).pathname);
  if (base === undefined || path === undefined || !path.startsWith(base)) return undefined;
  const name = path.slice(base.length);
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return /^(?:|\.\.?|.*[/\\\u0000-\u001F].*)$/s.test(name) ? undefined : name;
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/**
 * Returns a member's URL. Names come from the server's listing through `nameIn`, and encoding keeps them inside the
 * collection.
 */
export function urlOf(collection: Collection, name: string): string {
  return new URL(`./${encodeURIComponent(name)}`, collection.url).href;
}
