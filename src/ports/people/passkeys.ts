/** A passkey that an approver added: a public key whose private half stays on a device. */
export interface Passkey {
  passkeyId: string;
  /** The id that the device gave it, as base64url. */
  credentialId: string;
  approver: string;
  /** The approver's own name for it, such as the device. */
  name: string;
  publicKey: Uint8Array;
  /** The number of signatures as the device counts them. 0 if it does not count. */
  counter: number;
  createdAt: Date;
  usedAt: Date | undefined;
}

/** Passkeys of one approver. Each is a row, and a person has few devices. */
export const mostPasskeys = 20;

/** The passkeys of approvers, shared by every replica. */
export interface PasskeyStore {
  /** Returns false if it is stored already, or the approver has `mostPasskeys`. */
  add(passkey: Omit<Passkey, "createdAt" | "usedAt">): Promise<boolean>;
  findByCredential(credentialId: string): Promise<Passkey | undefined>;
  /** Oldest first. */
  list(): Promise<readonly Passkey[]>;
  /**
   * Records a use. Returns false if the passkey is gone, or answered this challenge or a newer one before, so that one of
   * many replicas wins.
   */
  use(passkeyId: string, proof: PasskeyProof): Promise<boolean>;
  /** Returns the removed passkey. Undefined if there is none of this id. */
  remove(passkeyId: string): Promise<Passkey | undefined>;
}

/** The facts in a valid signature of a passkey. */
export interface PasskeyProof {
  counter: number;
  /** When the challenge was made. */
  challengedAt: Date;
}

/**
 * The questions to a browser, and the checks of its answers. A purpose names the page and what it is for: an answer is
 * valid for that purpose only.
 */
export interface PasskeyCeremony {
  /** Returns the options of `navigator.credentials.get` as JSON. */
  askToSignIn(purpose: string): Promise<string>;
  /** Returns the options of `navigator.credentials.create` as JSON. */
  askToAdd(purpose: string, who: { approver: string; known: readonly string[] }): Promise<string>;
  /** Returns the credential's id in an answer, which nothing has proved yet. */
  credentialIn(answer: string): string | undefined;
  /** Checks an answer to `askToSignIn`. Undefined if it is not valid. */
  checkSignIn(purpose: string, answer: string, known: Passkey): Promise<PasskeyProof | undefined>;
  /** Checks an answer to `askToAdd`. Undefined if it is not valid. */
  checkAdded(
    purpose: string,
    answer: string,
  ): Promise<Pick<Passkey, "credentialId" | "publicKey" | "counter"> | undefined>;
}
