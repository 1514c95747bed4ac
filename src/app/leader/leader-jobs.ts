import type { Config } from "../../config.ts";
import type { Log } from "../../core/shared/log.ts";
import { fetchMail } from "../mail/fetch-mail.ts";
import type { Ingest } from "../compose/open/open-ingest.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { startFileIndexing } from "./index-files.ts";
import type { Stores } from "../compose/open/open-stores.ts";
import type { LeaderJobs } from "./leader-election.ts";

/** Starts the jobs of the leader, over an open intake: fetching mail, cleanup, summaries, Telegram, the index of files. */
export async function startLeaderJobsWith(
  ingest: Ingest,
  { config, stores, log }: { config: Config; stores: Stores; log: Log },
): Promise<LeaderJobs> {
  const { telegram: settings } = config;
  // Loaded only by the leader, since no other process uses the messenger.
  const opener = settings && (await import("../compose/open/open-telegram.ts"));
  const fetching = await fetchMail(config, ingest, log);
  const housekeeping = startHousekeeping(config, stores, log);
  const summaries = ingest.startSummaries();
  const telegram = settings && opener?.openTelegram(settings, config, stores, log);
  const indexing = config.searchesFiles ? startFileIndexing(stores, log) : undefined;
  return {
    wake: () => telegram?.wake(),
    close: async () =>
      void (await Promise.all([
        fetching.close(),
        summaries?.stop(),
        telegram?.close(),
        housekeeping.close(),
        indexing?.close(),
      ])),
  };
}
