import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createConnectionShares } from "../../core/network-limits/connection-shares.ts";
import type { Log } from "../../core/shared/log.ts";
import { createApprovalPage } from "../../channels/page/approval-page.ts";
import type { MailQuarantine } from "../../ports/mail/mail-quarantine.ts";
import type { ServerReviews } from "../../ports/upstream/server-reviews.ts";
import type { PageRecord } from "../../channels/page/record-routes.ts";
import { createLoopbackAccess } from "../../channels/page/loopback-access.ts";
import type { Stores } from "../compose/open/open-stores.ts";
import { ownCommand } from "../platform/own-command.ts";
import { userName } from "../platform/this-user.ts";
import type { PageSightings } from "./page-sightings.ts";

/** Interval between checks whether the page is still in use. Milliseconds. */
const lookEveryMs = 5_000;

/** One browser needs few sockets, but every program on this computer may open some. Times are milliseconds. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
};
const sockets = {
  unauthenticatedPerNetwork: 512,
  unauthenticatedPerWiderNetwork: 512,
  unauthenticated: 512,
  perCaller: 64,
  callers: 64,
};

export interface PageServer {
  /** Returns an address that admits one person, once, within 60 s. */
  newEntry(): string;
  /** Resolves when the port is closed: by `close`, or after half an hour without use. */
  closed: Promise<void>;
  close(): void;
}

/**
 * Serves the approval page on a free port of this computer, for people with an entry address. It closes when it is no
 * longer used.
 */
export async function startPageServer(
  stores: Pick<Stores, "tickets" | "audit" | "rules"> & PageRecord,
  log: Log,
  {
    sightings,
    mail,
    servers,
  }: { sightings?: PageSightings; mail?: MailQuarantine; servers?: ServerReviews | undefined } = {},
): Promise<PageServer> {
  const command = ownCommand();
  const access = createLoopbackAccess({
    person: userName(),
    command,
    gone: () => sightings?.noteGone(),
  });
  const server = createServer(limits);
  const shares = createConnectionShares(sockets, () => false);
  server.on("connection", (socket) => shares.opened(socket));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a port has a number");
  const origin = `http://127.0.0.1:${address.port}`;
  const { tickets, audit, rules } = stores;
  const page = createApprovalPage({
    tickets,
    audit,
    rules,
    record: stores,
    log,
    command,
    access,
    seen: () => sightings?.note(),
    ...(mail && { mail }),
    ...(servers && { servers }),
    origin,
  });
  server.on("request", (request, response) => {
    response.once("close", shares.began(request.socket));
    const proved = (who: string): void => shares.proved(request.socket, who);
    const listener = getRequestListener((asked) => page.fetch(asked, "", proved));
    void listener(request, response);
  });

  // The first entry may be requested seconds after the start.
  let hasEntry = false;
  const timer = setInterval(() => {
    if (hasEntry && access.isDeserted()) close();
  }, lookEveryMs);
  // The page must not keep the process alive after its client disconnected.
  timer.unref();
  server.unref();
  const closed = new Promise<void>((resolve) => server.once("close", () => resolve()));
  function close(): void {
    clearInterval(timer);
    server.close();
    server.closeAllConnections();
  }
  const newEntry = (): string => {
    hasEntry = true;
    return `${origin}${access.newEntry()}`;
  };
  return { newEntry, closed, close };
}
