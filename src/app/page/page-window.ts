import type { Config } from "../../config.ts";
import type { Log } from "../../core/shared/log.ts";
import type { ServerEntry } from "../../ports/upstream/upstream-server.ts";
import { createMailQuarantine } from "../mail/mail-quarantine.ts";
import { openBrowser, openerFor, openerProblem, writeRedirect } from "./open-browser.ts";
import type { Stores } from "../compose/open/open-stores.ts";
import { pageSightings } from "./page-sightings.ts";
import type { PageServer } from "./page-server.ts";

export interface PageWindow {
  /** Opens the person's browser on the approval page, unless a page of this person was seen in the last minute. */
  show(): void;
  close(): Promise<void>;
}

/**
 * Creates the approval page for a server whose client cannot ask the person. Its port opens at the first use.
 * @param settings.servers returns the upstream servers that can be reviewed on the page
 */
export function createPageWindow(
  config: Config,
  stores: Stores,
  { log, servers }: { log: Log; servers: (() => readonly ServerEntry[]) | undefined },
): PageWindow {
  const problem = openerProblem(config.approvals.open);
  if (problem !== undefined) log.warn(problem);
  const sightings = pageSightings(stores.database);
  let server: Promise<PageServer> | undefined;
  let showing: Promise<void> | undefined;

  function running(): Promise<PageServer> {
    server ??= start().catch((error: unknown) => {
      server = undefined;
      throw error;
    });
    return server;
  }

  async function start(): Promise<PageServer> {
    const [{ startPageServer }, { createServerReviews }] = await Promise.all([
      import("./page-server.ts"),
      import("../upstream/review/server-reviews.ts"),
    ]);
    const started = await startPageServer(stores, log, {
      sightings,
      mail: createMailQuarantine(config, stores, log),
      servers: servers && createServerReviews({ config, stores, servers, log }),
    });
    void started.closed.then(() => (server = undefined));
    return started;
  }

  async function show(): Promise<void> {
    const opener = openerFor(config.approvals.open);
    if (opener === undefined || !(await sightings.mayOpen())) return;
    const entry = (await running()).newEntry();
    const path = writeRedirect(config.dataDir, entry);
    await openBrowser(opener, path, (problem) => log.warn(problem));
  }

  return {
    show: () => {
      // If the page cannot be opened, the terminal remains.
      showing ??= show()
        .catch((cause: unknown) => log.warn("the browser could not be opened", { cause }))
        .finally(() => (showing = undefined));
    },
    close: async () => {
      await showing;
      (await server)?.close();
    },
  };
}
