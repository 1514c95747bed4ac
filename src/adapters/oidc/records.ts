import { createHash } from "node:crypto";
import type { Adapter, AdapterPayload } from "oidc-provider";
import type { OAuthStore } from "../../ports/people/oauth-store.ts";
import { errors } from "./library.ts";
import { assertRedirectsAllowed } from "./redirect-uris.ts";
import { hasRoom } from "./registration-limit.ts";
import { lifetimes } from "./limits.ts";

/** Models whose ids are secrets. Their ids are stored as hashes, so a copy of the database does not contain them. */
const secretIds: readonly string[] = ["AccessToken", "RefreshToken", "AuthorizationCode"];

export function storedId(model: string, id: string): string {
  return secretIds.includes(model) ? createHash("sha256").update(id).digest("base64url") : id;
}

/** Creates the library's view of the records of one model. */
export function recordsOf(model: string, store: OAuthStore): Adapter {
  const idOf = (id: string): string => storedId(model, id);
  const isTokenUse = model === "RefreshToken" || model === "AuthorizationCode";
  return {
    upsert: async (id, payload, expiresIn) => {
      const isClient = model === "Client";
      if (isClient) await mayRegister(payload, store);
      const { jti, ...rest } = payload;
      const record = {
        model,
        id: idOf(id),
        payload: secretIds.includes(model) ? rest : { ...rest, ...(jti && { jti }) },
        grantId: payload.grantId,
        uid: payload.uid,
        clientId: isClient ? id : payload.clientId,
      };
      await store.put(record, isClient ? lifetimes.unusedClient : (expiresIn ?? lifetimes.refresh));
      if (model === "RefreshToken" && payload.clientId !== undefined) {
        await store.keepClient(payload.clientId, lifetimes.usedClient);
      }
    },
    find: async (id) => {
      const payload = await store.find(model, idOf(id));
      return payload && withId(id, payload);
    },
    findByUid: async (uid) => await store.findByUid(model, uid),
    findByUserCode: () => Promise.resolve(undefined),
    consume: async (id) => {
      if (await store.consume(model, idOf(id))) return;
      // Another replica used the record after this one read it. The second use is a replay (RFC 9700, section 4.14.2).
      const payload = await store.find(model, idOf(id));
      const grantId = payload?.["grantId"];
      if (isTokenUse && typeof grantId === "string") {
        await store.removeTokens(grantId);
        await store.remove("Grant", grantId);
      }
      throw new errors.InvalidGrant("it was used before");
    },
    destroy: async (id) => await store.remove(model, idOf(id)),
    revokeByGrantId: async (grantId) => await store.removeTokens(grantId),
  };

  function withId(id: string, payload: Record<string, unknown>): AdapterPayload {
    // Our own field: see client-documents.ts.
    const { freshUntil: _, ...known } = payload;
    return secretIds.includes(model) ? { ...known, jti: id } : known;
  }
}

/** Checks a registration. The library itself would accept `http` addresses of other machines. */
async function mayRegister(payload: AdapterPayload, store: OAuthStore): Promise<void> {
  assertRedirectsAllowed(payload.redirect_uris);
  if (!(await hasRoom(store))) {
    throw new errors.InvalidRequest("too many clients are registered", 429);
  }
}
