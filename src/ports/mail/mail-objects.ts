/** The keys of a message's parts in the object store. */
export const rawKey = (sha256: string): string => `mail/raw/${sha256}`;
export const textKey = (sha256: string): string => `mail/text/${sha256}`;
export const attachmentKey = (sha256: string): string => `mail/attachment/${sha256}`;
