/**
 * The prefixes of all keys in the object store: files, mail, undo copies, heads of the audit record, and shortened
 * results.
 */
export const objectPrefixes = ["files/", "mail/", "undo/", "audit/", "results/"] as const;
