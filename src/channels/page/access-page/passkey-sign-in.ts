import { randomId } from "../../../core/shared/digest.ts";
import {
  type Passkey,
  type PasskeyCeremony,
  type PasskeyStore,
  mostPasskeys,
} from "../../../ports/people/passkeys.ts";
import type { Approvers } from "../../terminal.ts";

/** Passkeys as the pages use them. */
export interface PasskeySignIn {
  /** Returns the options for the browser as JSON. Undefined if no approver has a passkey. */
  ask(purpose: string): Promise<string | undefined>;
  /** Returns the passkey that answered, with its approver. Undefined if the answer is not valid. */
  answeredBy(
    purpose: string,
    answer: string,
  ): Promise<Pick<Passkey, "passkeyId" | "approver"> | undefined>;
  /** Returns the options for a new passkey as JSON. Undefined if this approver has as many as are allowed. */
  askToAdd(purpose: string, approver: string): Promise<string | undefined>;
  /** Returns the new passkey. Undefined if the answer is not valid. */
  add(
    purpose: string,
    added: { answer: string; approver: string; name: string },
  ): Promise<Pick<Passkey, "passkeyId" | "name"> | undefined>;
  /** Returns the passkeys of one approver, or of all. */
  list(approver: string | undefined): Promise<readonly Passkey[]>;
  remove(passkeyId: string): Promise<Passkey | undefined>;
}

export function createPasskeySignIn(settings: {
  approvers: Approvers;
  store: PasskeyStore;
  ceremony: PasskeyCeremony;
}): PasskeySignIn {
  const { approvers, store, ceremony } = settings;
  const isApprover = (name: string) => approvers.some((approver) => approver.name === name);
  const list = async (approver: string | undefined) =>
    (await store.list()).filter((each) => approver === undefined || each.approver === approver);

  return {
    ask: async (purpose) => {
      const hasAny = (await store.list()).some(({ approver }) => isApprover(approver));
      return hasAny ? await ceremony.askToSignIn(purpose) : undefined;
    },

    answeredBy: async (purpose, answer) => {
      const credentialId = ceremony.credentialIn(answer);
      if (credentialId === undefined) return undefined;
      const known = await store.findByCredential(credentialId);
      if (known === undefined || !isApprover(known.approver)) return undefined;
      const proof = await ceremony.checkSignIn(purpose, answer, known);
      if (proof === undefined) return undefined;
      return (await store.use(known.passkeyId, proof)) ? known : undefined;
    },

    askToAdd: async (purpose, approver) => {
      const own = await list(approver);
      if (own.length >= mostPasskeys) return undefined;
      const known = own.map(({ credentialId }) => credentialId);
      return await ceremony.askToAdd(purpose, { approver, known });
    },

    add: async (purpose, { answer, approver, name }) => {
      const checked = await ceremony.checkAdded(purpose, answer);
      if (checked === undefined) return undefined;
      const passkeyId = randomId("passkey");
      const added = await store.add({ ...checked, passkeyId, approver, name });
      return added ? { passkeyId, name } : undefined;
    },

    list,
    remove: (passkeyId) => store.remove(passkeyId),
  };
}
