import type { OAuthStore } from "../../../ports/people/oauth-store.ts";
import type { SignOuts } from "../../../ports/people/sign-outs.ts";

const model = "SignOut";

/** Creates the record of ended sessions of the approval page. An entry expires with its session. */
export function createSignOuts(records: Pick<OAuthStore, "put" | "find">): SignOuts {
  return {
    add: (id, forSeconds) => records.put({ model, id, payload: {} }, forSeconds),
    has: async (id) => (await records.find(model, id)) !== undefined,
  };
}
