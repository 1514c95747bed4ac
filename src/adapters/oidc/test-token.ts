import { randomId } from "../../core/shared/digest.ts";
import type { OAuthStore } from "../../ports/people/oauth-store.ts";
import { createTokenFormat } from "./access-token.ts";
import { storedId } from "./records.ts";

/** Long enough for one call. Seconds. */
const lifetime = 60;

/**
 * Stores an access token of the smaller scope for a client, as consent does. Only `doctor` uses it, which has access to
 * the database and the key. `removeClient` ends it early.
 */
export async function createTestToken(
  store: OAuthStore,
  secret: Uint8Array,
  { clientId, principal, resource }: { clientId: string; principal: string; resource: string },
): Promise<string> {
  const token = createTokenFormat(secret).create();
  const grantId = randomId("doctor");
  const exp = Math.floor(Date.now() / 1_000) + lifetime;
  const whose = { accountId: principal, clientId, exp };
  await store.put({ model: "Grant", id: grantId, payload: whose, clientId }, lifetime);
  const payload = { ...whose, aud: resource, scope: "mcp:read" };
  const id = storedId("AccessToken", token);
  await store.put({ model: "AccessToken", id, payload, grantId, clientId }, lifetime);
  return token;
}
