import { createLeases } from "../../adapters/libsql/driver/leases.ts";
import type { Database } from "../../adapters/libsql/driver/database.ts";
import { randomId } from "../../core/shared/digest.ts";

/** A page asks every three seconds while it is visible, and a hidden one about once a minute. Milliseconds. */
const aliveFor = 60_000;

/** From the start of a browser to the page's first request; its code is valid for as long. Milliseconds. */
const openingFor = 60_000;

/** Each sighting is a write. Milliseconds. */
const noteEvery = 10_000;

/**
 * Whether the person at this computer has an approval page open, whatever process serves it: kept in the database as leases,
 * because a server and `approvals open` each serve pages of their own.
 */
export interface PageSightings {
  /** A page was seen. Returns at once; a sighting that cannot be written only opens a second page later. */
  note(): void;
  /** True if this process may open a page now: none was seen in the last minute, and no process is opening one. */
  mayOpen(): Promise<boolean>;
}

export function pageSightings(database: Database): PageSightings {
  const leases = createLeases(database);
  let notedAt = -Infinity;
  return {
    note: () => {
      if (performance.now() - notedAt < noteEvery) return;
      notedAt = performance.now();
      leases.take("approval page seen", "page", aliveFor).catch(() => (notedAt = -Infinity));
    },
    mayOpen: async () =>
      !(await leases.isHeld("approval page seen")) &&
      (await leases.take("approval page opening", randomId("open"), openingFor)),
  };
}
