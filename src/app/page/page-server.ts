import { createServer } from "node:http";
import { userInfo } from "node:os";
import { getRequestListener } from "@hono/node-server";
import { createConnectionShares } from "../../core/limits/connection-shares.ts";
import type { Log } from "../../core/shared/log.ts";
import { createApprovalPage } from "../../review/page/approval-page.ts";
import type { MailReview } from "../../ports/mail/mail-review.ts";
import type { PageRecord } from "../../review/page/record-routes.ts";
import { createLoopbackAccess } from "../../review/page/loopback-access.ts";
import type { Stores } from "../compose/open-stores.ts";
import { ownCommand } from "../platform/own-command.ts";

/** How often it is looked whether anybody is still there. Milliseconds. */
const lookEvery = 5_000;

/** One person's browser needs a handful of sockets; every program on this computer may open some. Milliseconds, numbers. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
};
const sockets = {
  strangersPerNetwork: 512,
  strangersPerWiderNetwork: 512,
  strangers: 512,
  perCaller: 64,
  callers: 64,
};

export interface PageServer {
  /** An address that lets one person in, once, within 60 s. */
  newEntry(): string;
  /** Resolves when the port is closed: by `close`, or because nobody used the page for half an hour. */
  closed: Promise<void>;
  close(): void;
}

/** The approval page on a free port of this computer, for whoever gets an entry. Call `newEntry` soon: deserted, it closes. */
export async function startPageServer(
  stores: Pick<Stores, "tickets" | "audit" | "rules"> & PageRecord,
  log: Log,
  { seen, mail }: { seen?: () => void; mail?: MailReview } = {},
): Promise<PageServer> {
  const command = ownCommand();
  const access = createLoopbackAccess({ person: userInfo().username, command });
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
    ...(seen && { seen }),
    ...(mail && { mail }),
    origin,
  });
  server.on("request", (request, response) => {
    response.once("close", shares.began(request.socket));
    const proved = (who: string): void => shares.proved(request.socket, who);
    const listener = getRequestListener((asked) => page.fetch(asked, "", proved));
    void listener(request, response);
  });

  const timer = setInterval(() => {
    if (access.isDeserted()) close();
  }, lookEvery);
  // The port and its page never keep a server alive whose client has gone.
  timer.unref();
  server.unref();
  const closed = new Promise<void>((resolve) => server.once("close", () => resolve()));
  function close(): void {
    clearInterval(timer);
    server.close();
    server.closeAllConnections();
  }
  return { newEntry: () => `${origin}${access.newEntry()}`, closed, close };
}
