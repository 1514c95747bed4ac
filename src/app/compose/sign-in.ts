import { createAuthorizationServer } from "../../adapters/oidc/authorization-server.ts";
import type { Config } from "../../config.ts";
import type { GuessLimit } from "../../core/limits/guess-limit.ts";
import type { Log } from "../../core/shared/log.ts";
import type { SignIn } from "../../mcp/http/open-http.ts";
import { createConsentPage } from "../../review/page/consent-page.ts";
import type { Stores } from "./open-stores.ts";

/** Builds the sign-in of hosts from settings. Undefined without a public address. */
export function createSignIn(
  { http, approvals: { approvers } }: Config,
  { oauth: store, keys }: Stores,
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
    log,
  });
  return {
    owns: (path) => server.owns(path),
    answer: (request, response, sender) => server.answer(request, response, sender),
    lookUp: async (token) => {
      const holder = await server.holderOf(token);
      return holder?.scope === "mcp" ? holder.principal : undefined;
    },
    resourceMetadata: `${issuer}/.well-known/oauth-protected-resource/mcp`,
  };
}
