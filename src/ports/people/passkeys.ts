/** A passkey that an approver added: a public key whose private half stays on a device. */
export interface Passkey {
  passkeyId: string;
  /** The credential id from the device, as base64url. */
  credentialId: string;
  approver: string;
  /** The name that the approver gave it, such as that of the device. */
  name: string;
  publicKey: Uint8Array;
  /** The device's count of signatures. 0 if the device does not count. */
  counter: number;
  createdAt: Date;
  usedAt: Date | undefined;
}

/** Limit on passkeys of one approver. A person has few devices. */
export const mostPasskeys = 20;

/** The passkeys of approvers, shared by every replica. */
export interface PasskeyStore {
  /** Returns false if it is already stored, or if the approver has `mostPasskeys`. */
  add(passkey: Omit<Passkey, "createdAt" | "usedAt">): Promise<boolean>;
  findByCredential(credentialId: string): Promise<Passkey | undefined>;
  /** Oldest first. */
  list(): Promise<readonly Passkey[]>;
  /**
   * Records a use. Returns false if the passkey does not exist, or if it has already answered this challenge or a newer
   * one. Only one of many replicas succeeds.
   */
  use(passkeyId: string, proof: PasskeyProof): Promise<boolean>;
  /** Returns the removed passkey. Undefined if none has this id. */
  remove(passkeyId: string): Promise<Passkey | undefined>;
}

/** The facts from a valid signature of a passkey. */
export interface PasskeyProof {
  counter: number;
  /** The time of the challenge. */
  challengedAt: Date;
}

/**
 * The WebAuthn requests to a browser, and the checks of its answers. The purpose names the page and its use: an answer
 * is valid only for that purpose.
 */
export interface PasskeyCeremony {
  /** Returns the options of `navigator.credentials.get` as JSON. */
  askToSignIn(purpose: string): Promise<string>;
  /** Returns the options of `navigator.credentials.create` as JSON. */
  askToAdd(purpose: string, who: { approver: string; known: readonly string[] }): Promise<string>;
  /** Returns the credential id in an answer that has not been checked yet. */
  credentialIn(answer: string): string | undefined;
  /** Checks an answer to `askToSignIn`. Undefined if it is not valid. */
  checkSignIn(purpose: string, answer: string, known: Passkey): Promise<PasskeyProof | undefined>;
  /** Checks an answer to `askToAdd`. Undefined if it is not valid. */
  checkAdded(
    purpose: string,
    answer: string,
  ): Promise<Pick<Passkey, "credentialId" | "publicKey" | "counter"> | undefined>;
}
