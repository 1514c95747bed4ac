import { createSignOuts } from "../../adapters/libsql/oauth/sign-outs.ts";
import { createPasskeyCeremony } from "../../adapters/webauthn/ceremony.ts";
import type { Config } from "../../config.ts";
import type { GuessLimit } from "../../core/network-limits/guess-limit.ts";
import type { Log } from "../../core/shared/log.ts";
import {
  type PasskeySignIn,
  createPasskeySignIn,
} from "../../channels/page/access-page/passkey-sign-in.ts";
import { type ApprovalPage, createApprovalPage } from "../../channels/page/approval-page.ts";
import { createSignInAccess } from "../../channels/page/sign-in-access.ts";
import { createMailQuarantine } from "../mail/mail-quarantine.ts";
import { ownCommand } from "../platform/own-command.ts";
import type { Upstream } from "../upstream/open-upstream.ts";
import { createServerReviews } from "../upstream/review/server-reviews.ts";
import type { CallRuntime } from "../compose/call-runtime.ts";

/** How people prove who they are, on the approval page and when they let a client in. */
export interface People {
  guesses: GuessLimit;
  passkeys: PasskeySignIn;
}

/** Opens the sign-in of people at this address. */
export function openPeople(
  pageUrl: string,
  config: Config,
  { stores }: CallRuntime,
  guesses: GuessLimit,
): People {
  const { origin } = new URL(pageUrl);
  const { passkeys: store, keys } = stores;
  const { approvers } = config.approvals;
  const ceremony = createPasskeyCeremony({ origin, key: keys.page });
  return { guesses, passkeys: createPasskeySignIn({ approvers, store, ceremony }) };
}

/** Creates the approval page at this address. */
export function webPage(
  pageUrl: string,
  config: Config,
  { stores }: CallRuntime,
  { people, upstream, log }: { people: People; upstream: Upstream | undefined; log: Log },
): ApprovalPage {
  const { tickets, audit, rules, keys, oauth } = stores;
  const { approvers } = config.approvals;
  const access = createSignInAccess({
    ...people,
    approvers,
    key: keys.page,
    signOuts: createSignOuts(oauth),
    root: "/approvals",
  });
  // Another issuer keeps its own list of clients.
  const isIssuer = config.http.oauth !== undefined && config.http.oauth.issuer === undefined;
  return createApprovalPage({
    tickets,
    audit,
    rules,
    record: stores,
    accessRecord: { clients: isIssuer ? oauth : undefined, passkeys: people.passkeys },
    mail: createMailQuarantine(config, stores, log),
    ...(upstream && {
      servers: createServerReviews({ config, stores, servers: () => upstream.servers(), log }),
    }),
    log,
    command: ownCommand(),
    access,
    origin: new URL(pageUrl).origin,
  });
}
