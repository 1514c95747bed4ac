/** The result of a sign-in at an upstream server, in the form of the library that signs in. */
export type StoredSignIn = Readonly<Record<string, unknown>>;

/** The stored sign-in at one server. */
export interface SignInStore {
  read(): StoredSignIn | undefined;
  /** Replaces the sign-in under a lock between processes. `undefined` deletes it. */
  change(work: (now: StoredSignIn | undefined) => Promise<StoredSignIn | undefined>): Promise<void>;
}
