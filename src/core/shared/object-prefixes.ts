/**
 * The prefixes of all keys in the object store: the tools' files, mail, undo copies, heads of the audit log and cut
 * results.
 */
export const objectPrefixes = ["files/", "mail/", "undo/", "audit/", "results/"] as const;
