import { createLeases } from "../adapters/libsql/leases.ts";
import { createMailStore } from "../adapters/libsql/mail-store.ts";
import type { Config } from "../config.ts";
import type { Log } from "../core/log.ts";
import { createKeep, type Keep } from "../ingest/keep.ts";
import { createParser } from "../ingest/parser.ts";
import { startRunner } from "../ingest/runner.ts";
import { firstStep, mailSteps } from "../ingest/steps.ts";
import { createWithhold } from "../ingest/withhold.ts";
import type { Leases } from "../ports/leases.ts";
import type { MailStore } from "../ports/mail-store.ts";
import { openStores } from "./open-stores.ts";

export interface Ingest {
  keep: Keep;
  store: MailStore;
  leases: Leases;
  /** Ends what is in hand and closes the stores; what waits is done by the next start. */
  close(): Promise<void>;
}

/** The way of a message from `keep` to the index, with everything it needs. */
export function openIngest(config: Config, log: Log): Ingest {
  const stores = openStores(config, log);
  const { database, objects } = stores;
  const store = createMailStore(database);
  const parser = createParser();
  const { ownerAddresses } = config.ingest;
  const steps = mailSteps({ objects, parser, ownerAddresses });
  const runner = startRunner({ store, steps, log });
  return {
    keep: createKeep({
      objects,
      store,
      firstStep,
      withhold: createWithhold(config.ingest.senders),
      onKept: () => runner.wake(),
    }),
    store,
    leases: createLeases(database),
    close: async () => {
      await runner.stop();
      await parser.close();
      await stores.close();
    },
  };
}
