import { refreshAccessToken } from "tsdav";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { CalendarObjects } from "../../ports/calendar/calendar-objects.ts";
import { wholeMonths } from "./addresses.ts";
import { createAuthorize } from "./authorize.ts";
import { createCollectionCache } from "./collection-cache.ts";
import { type Collection, discover } from "./discover.ts";
import { noCalendar, withHost } from "./errors.ts";
import { putObject, readObject, removeObject } from "./event-objects.ts";
import { createHttp } from "./http.ts";
import {
  mayChange,
  readNames,
  readTimeRange,
  tagOf,
  type CollectionAccess,
} from "./read-collection.ts";
import type { CaldavSettings } from "./settings.ts";

/**
 * Time limit for all requests of one operation. It is below the 30 s of a call, so that the reason can be reported.
 * Milliseconds.
 */
const defaultBudgetMs = 25_000;

/** Creates the access to one collection on a CalDAV server. The first operation finds the collection. */
export function createCollection(settings: CaldavSettings): CalendarObjects {
  const http = createHttp(
    settings,
    createAuthorize(settings, () => Promise.resolve(refreshAccessToken)),
  );
  const cache = createCollectionCache();
  let known: Promise<Collection> | undefined;

  function within(signal: AbortSignal | undefined): AbortSignal {
    const budget = AbortSignal.timeout(settings.budgetMs ?? defaultBudgetMs);
    return signal === undefined ? budget : AbortSignal.any([signal, budget]);
  }

  function find(signal: AbortSignal): Promise<Collection> {
    if (known === undefined) {
      const finding = discover(settings, { http, signal });
      known = finding;
      finding.catch(() => {
        if (known === finding) known = undefined;
      });
    }
    return known;
  }

  /**
   * Runs `work` in the collection. After `not_found` the collection is discovered again, because the whole calendar may
   * have moved.
   */
  async function inCollection<T>(
    signal: AbortSignal,
    work: (access: CollectionAccess) => Promise<T>,
  ): Promise<T> {
    const before = await find(signal);
    try {
      return await work({ http, collection: before, signal });
    } catch (thrown) {
      if (!(thrown instanceof ToolError) || thrown.kind !== "not_found") throw thrown;
      known = undefined;
      const after = await find(signal);
      if (after.url === before.url) throw thrown;
      cache.clear();
      return await work({ http, collection: after, signal });
    }
  }

  /** Does the same for work that needs no event, so that what was not found is the calendar. */
  async function inCalendar<T>(
    signal: AbortSignal,
    work: (access: CollectionAccess) => Promise<T>,
  ): Promise<T> {
    return await inCollection(signal, work).catch((thrown: unknown) => {
      throw thrown instanceof ToolError && thrown.kind === "not_found"
        ? noCalendar(thrown)
        : thrown;
    });
  }

  /** Forgets what was read before a change, also after an error that may hide a success. */
  async function changing(change: Promise<void>): Promise<void> {
    await change.finally(() => cache.clear());
  }

  return {
    check: async (options = {}) => {
      const signal = within(options.signal);
      try {
        const found = await discover(settings, { http, signal }, { listsNames: true });
        const access = { http, collection: found, signal };
        await tagOf(access);
        return { isReadOnly: !(await mayChange(access)) };
      } catch (thrown) {
        throw withHost(thrown);
      }
    },
    facts: async (options = {}) => await find(within(options.signal)),
    between: async (from, to, options = {}) => {
      const signal = within(options.signal);
      return await inCalendar(signal, async (access) => {
        const tag = await tagOf(access);
        const stretch = wholeMonths(from, to);
        const kept = tag === undefined ? undefined : cache.find(tag, stretch);
        if (kept !== undefined) return kept;
        const objects = await readTimeRange(access, stretch);
        const isWhole = objects.every(({ text }) => text !== "");
        return tag === undefined || !isWhole ? objects : cache.keep(tag, stretch, objects);
      });
    },
    names: async (options = {}) => {
      const signal = within(options.signal);
      return await inCalendar(signal, (access) => readNames(access));
    },
    get: async (name, options = {}) => {
      const signal = within(options.signal);
      try {
        return await inCollection(signal, async (access) => {
          const object = await readObject(access, name);
          if (object === undefined) throw gone();
          return object;
        });
      } catch (thrown) {
        if (thrown instanceof ToolError && thrown.kind === "not_found") return undefined;
        throw thrown;
      }
    },
    create: async (name, text, options = {}) => {
      const signal = within(options.signal);
      const condition = { "If-None-Match": "*" };
      await inCalendar(signal, (access) => changing(putObject(access, { name, text, condition })));
    },
    replace: async (name, text, { etag, signal: outer }) => {
      const signal = within(outer);
      // Not retried after a new discovery, because a version belongs to the collection from which it was read.
      const object = { name, text, condition: { "If-Match": etag } };
      const access = { http, collection: await find(signal), signal };
      await changing(putObject(access, object));
    },
    remove: async (name, { etag, signal: outer }) => {
      const signal = within(outer);
      const access = { http, collection: await find(signal), signal };
      await changing(removeObject(access, name, etag));
    },
  };
}

function gone(): ToolError {
  return new ToolError("not_found", "The event does not exist in the calendar. Nothing was done.");
}
