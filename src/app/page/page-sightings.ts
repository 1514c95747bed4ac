import { createLeases } from "../../adapters/libsql/driver/leases.ts";
import type { Database } from "../../adapters/libsql/driver/database.ts";
import { randomId } from "../../core/shared/digest.ts";

/**
 * A visible page polls every three seconds. Browsers let a hidden one poll once a minute, and a little later if they
 * are busy. Milliseconds.
 */
const aliveFor = 75_000;

/** Time from the start of a browser to the page's first request. The page's code is valid for the same time. Milliseconds. */
const openingForMs = 60_000;

/** Limits writes, because each sighting is one. Milliseconds. */
const noteEveryMs = 10_000;

/** A page that goes away may have led to another one, which reports itself within `noteEveryMs`. Milliseconds. */
const goneAfterMs = 15_000;

/**
 * Records whether the person at this computer has an approval page open in any process. The state is kept in the
 * database as leases, because a server and `approvals open` each serve their own pages.
 */
export interface PageSightings {
  /** Records that a page was seen. Returns immediately. A failed write only makes a second page open later. */
  note(): void;
  /** Records that a page went away. Returns immediately. Other pages that are open report themselves in time. */
  noteGone(): void;
  /** True if this process may open a page: none was seen in the last minute, and no process is opening one. */
  mayOpen(): Promise<boolean>;
}

export function pageSightings(database: Database): PageSightings {
  const leases = createLeases(database);
  let notedAt = -Infinity;
  function record(forMs: number): void {
    leases.take("approval page seen", "page", forMs).catch(() => (notedAt = -Infinity));
  }

  return {
    note: () => {
      if (performance.now() - notedAt < noteEveryMs) return;
      notedAt = performance.now();
      record(aliveFor);
    },
    noteGone: () => {
      notedAt = -Infinity;
      record(goneAfterMs);
    },
    mayOpen: async () =>
      !(await leases.isHeld("approval page seen")) &&
      (await leases.take("approval page opening", randomId("open"), openingForMs)),
  };
}
