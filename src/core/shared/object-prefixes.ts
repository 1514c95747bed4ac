/** The prefixes of all keys in the object store: the tools' files, mail, undo copies and heads of the audit log. */
export const objectPrefixes = ["files/", "mail/", "undo/", "audit/"] as const;
