import { createAuthorizationServer } from "../../adapters/oidc/authorization-server.ts";
import type { Config } from "../../config.ts";
import type { GuessLimit } from "../../core/network-limits/guess-limit.ts";
import type { Log } from "../../core/shared/log.ts";
import { type AuditEvent, recordBestEffort } from "../../core/audit/audit.ts";
import { clientName } from "../../core/shared/text/client-name.ts";
import { randomId } from "../../core/shared/digest.ts";
import type { SignInEvent } from "../../ports/people/consent.ts";
import type { SignIn } from "../../mcp/http/routes.ts";
import { createConsentPage } from "../../channels/page/consent-page.ts";
import type { PasskeySignIn } from "../../channels/page/access-page/passkey-sign-in.ts";
import type { Stores } from "./open/open-stores.ts";

/** Builds the sign-in of remote clients from settings, with our own authorization server. */
export function createSignIn(
  { issuer, approvers }: { issuer: string; approvers: Config["approvals"]["approvers"] },
  { oauth: store, keys, audit }: Stores,
  { guesses, passkeys, log }: { guesses: GuessLimit; passkeys: PasskeySignIn; log: Log },
): SignIn {
  const protects = { resource: `${issuer}/mcp`, authorizationServer: issuer };
  const server = createAuthorizationServer({
    issuer,
    resource: protects.resource,
    secret: keys.oauth,
    store,
    consent: createConsentPage({
      approvers,
      key: keys.page,
      guesses,
      origin: issuer,
      passkeys,
    }),
    isApprover: (name) => approvers.some((approver) => approver.name === name),
    record: (event) => recordBestEffort(audit, auditEvent(event)),
    log,
  });
  return {
    protects,
    server,
    lookUp: async (token) => {
      const holder = await server.holderOf(token);
      if (holder === undefined || holder === "ended") return holder;
      const { principal, scope, grantId } = holder;
      return { principal, lowRiskOnly: scope === "mcp:read", grantId };
    },
    stillGranted: (grantIds) => store.stillGranted(grantIds),
  };
}

function auditEvent({ kind, principal, client: given, scope }: SignInEvent): AuditEvent {
  const client = clientName(given);
  const sentences = {
    granted: `gave a client access (${scope})`,
    denied: "refused a client access, as a person decided",
    "wrong secret": "refused a sign-in with a wrong secret",
    revoked: "ended the access of a client at its own request",
    replayed: "ended the access of a client, because a code or refresh token was used twice",
  };
  return {
    type: kind === "wrong secret" ? "refused" : "decided",
    at: new Date(),
    callId: randomId("sign-in"),
    principal,
    client,
    tool: "oauth",
    sentence: sentences[kind],
    outcome: kind,
  };
}
