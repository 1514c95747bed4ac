import type { CalendarServer } from "./calendar-server.ts";
import { startCyrus } from "./cyrus.ts";
import { startRadicale } from "./radicale.ts";

export interface CalendarServers {
  radicale: CalendarServer | undefined;
  cyrus: CalendarServer | undefined;
}

/** Starts what is installed. */
export async function startCalendarServers(
  missing: readonly string[],
): Promise<{ servers: CalendarServers; stop: () => Promise<void> }> {
  const [radicale, cyrus] = await Promise.all([
    missing.includes("radicale") ? undefined : startRadicale(),
    missing.includes("cyrus") ? undefined : startCyrus(),
  ]);
  return {
    servers: { radicale: radicale?.server, cyrus: cyrus?.server },
    stop: async () => void (await Promise.all([radicale?.stop(), cyrus?.stop()])),
  };
}
