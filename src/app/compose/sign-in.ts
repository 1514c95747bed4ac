import { createAuthorizationServer } from "../../adapters/oidc/authorization-server.ts";
import type { Config } from "../../config.ts";
import type { GuessLimit } from "../../core/limits/guess-limit.ts";
import type { Log } from "../../core/shared/log.ts";
import { type AuditEvent, recordBestEffort } from "../../core/audit/audit.ts";
import { clientName } from "../../core/shared/client-name.ts";
import { randomId } from "../../core/shared/digest.ts";
import type { SignInEvent } from "../../ports/people/consent.ts";
import type { SignIn } from "../../mcp/http/open-http.ts";
import { createConsentPage } from "../../review/page/consent-page.ts";
import type { Stores } from "./open-stores.ts";

/** Builds the sign-in of hosts from settings. Undefined without a public address. */
export function createSignIn(
  { http, approvals: { approvers } }: Config,
  { oauth: store, keys, audit }: Stores,
  guesses: GuessLimit,
  log: Log,
): SignIn | undefined {
  if (http.publicUrl === undefined) return undefined;
  const { origin: issuer } = new URL(http.publicUrl);
  const server = createAuthorizationServer({
    issuer,
    resource: `${issuer}/mcp`,
    secret: keys.oauth,
    store,
    consent: createConsentPage({ approvers, guesses, origin: issuer }),
    isApprover: (name) => approvers.some((approver) => approver.name === name),
    record: (event) => recordBestEffort(audit, auditEvent(event)),
    log,
  });
  return {
    owns: (path) => server.owns(path),
    answer: (request, response, sender) => server.answer(request, response, sender),
    lookUp: async (token) => {
      const holder = await server.holderOf(token);
      return holder && { principal: holder.principal, lowRiskOnly: holder.scope === "mcp:read" };
    },
    resourceMetadata: `${issuer}/.well-known/oauth-protected-resource/mcp`,
  };
}

function auditEvent({ kind, principal, client: given, scope }: SignInEvent): AuditEvent {
  const client = clientName(given);
  const sentences = {
    granted: `let a program in (${scope})`,
    "wrong secret": "refused a sign-in with a wrong secret",
    revoked: "ended the access of a program at its own request",
    replayed: "ended the access of a program, because a code or refresh token was used twice",
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
