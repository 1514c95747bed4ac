import type { Config } from "../../../config.ts";
import type { Log } from "../../../core/shared/log.ts";
import { openBrowser, openerFor, openerProblem, writeRedirect } from "../../page/open-browser.ts";
import type { Stores } from "../../compose/open/open-stores.ts";
import { pageSightings } from "../../page/page-sightings.ts";
import { createMailQuarantine } from "../../mail/mail-quarantine.ts";
import { startPageServer } from "../../page/page-server.ts";
import { openUpstream } from "../../upstream/open-upstream.ts";
import { createServerReviews } from "../../upstream/review/server-reviews.ts";
import { stopSignal } from "../../platform/stop-signal.ts";

/**
 * Opens the approval page for a person at a terminal. This process serves the page itself until it is unused. It
 * therefore works while the server is stopped, and the sign-in code stays in this process.
 */
export async function openFromTerminal(
  config: Config,
  stores: Stores,
  log: Log,
  envFile: string | undefined,
): Promise<number> {
  const sightings = pageSightings(stores.database);
  // A person decides requests also while the file of servers is broken.
  const upstream = await openUpstream(config, log, envFile).catch((cause: unknown) => {
    log.warn("reading the upstream servers failed", { cause });
    return undefined;
  });
  const server = await startPageServer(stores, log, {
    sightings,
    mail: createMailQuarantine(config, stores, log),
    ...(upstream && {
      servers: createServerReviews({ config, stores, servers: () => upstream.servers(), log }),
    }),
  });
  const opener = openerFor(config.approvals.open);
  const path = writeRedirect(config.dataDir, server.newEntry());
  const instead = `Open this file in your browser within a minute:\n  ${path}`;
  const failed = (problem: string): void => console.log(`${problem} ${instead}`);
  const isOpen =
    opener !== undefined &&
    (await openBrowser(opener, path, failed).then(
      () => true,
      () => false,
    ));
  const problem = openerProblem(config.approvals.open);
  if (isOpen) console.log("The approval page opens in your browser.");
  else console.log(problem === undefined ? instead : `${problem} ${instead}`);
  console.log("The page closes half an hour after its last use, or when you press Ctrl-C here.");
  // The page's server does not keep the process alive, and here it is the only work.
  const alive = setInterval(() => undefined, 60_000);
  await Promise.race([server.closed, stopSignal()]);
  clearInterval(alive);
  server.close();
  upstream?.close();
  return 0;
}
