import type { Config } from "../config.ts";
import type { Log } from "../core/log.ts";
import { lastRedirect, openBrowser, openerFor, writeRedirect } from "./open-browser.ts";
import type { Stores } from "./open-stores.ts";
import type { PageServer } from "./page-server.ts";

/** A second window within so long would only be in the way: the open page shows new requests by itself. Milliseconds. */
const onceIn = 5 * 60_000;

export interface PageWindow {
  /** Opens the person's browser on the approval page, at most once in five minutes whatever process did it. */
  show(): void;
  close(): Promise<void>;
}

/** The approval page for a server whose client cannot ask the person. Until it is needed there is no port. */
export function createPageWindow(config: Config, stores: Stores, log: Log): PageWindow {
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
    const { startPageServer } = await import("./page-server.ts");
    const started = await startPageServer(stores, log);
    void started.closed.then(() => (server = undefined));
    return started;
  }

  async function show(): Promise<void> {
    const opener = openerFor(config.approvals.open);
    const last = lastRedirect(config.dataDir)?.getTime() ?? -Infinity;
    if (opener === undefined || Date.now() - last < onceIn) return;
    const entry = (await running()).newEntry();
    await openBrowser(opener, writeRedirect(config.dataDir, entry));
  }

  return {
    show: () => {
      // A person who cannot be shown the page still has the terminal.
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
