import { createTokenIssuer } from "../../adapters/jose/token-issuer.ts";
import type { Log } from "../../core/shared/log.ts";
import type { SignIn } from "../../mcp/http/routes.ts";

/** Builds the sign-in with an organisation's own authorization server, whose tokens are accepted. */
export function createOtherIssuer(
  settings: { issuer: string; audience: string; callerClaim: string; publicOrigin: string },
  log: Log,
): SignIn {
  const { issuer, publicOrigin } = settings;
  const tokens = createTokenIssuer({ ...settings, log });
  return {
    protects: { resource: `${publicOrigin}/mcp`, authorizationServer: issuer },
    lookUp: (token) => tokens.holderOf(token),
  };
}
