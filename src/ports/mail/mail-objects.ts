import type { StoredText } from "./mail-store.ts";

/** The keys of a message's parts in the object store. */
export const rawKey = (sha256: string): string => `mail/raw/${sha256}`;
export const textKey = (sha256: string): string => `mail/text/${sha256}`;
export const attachmentKey = (sha256: string): string => `mail/attachment/${sha256}`;

/**
 * Returns the object that contains a text, and a window of the text as a range of the object. The range ends with the
 * text if more of the raw message follows.
 */
export function textRange(
  { sha256, bytes, inRawAt }: StoredText,
  { offset, length }: { offset: number; length: number },
): { key: string; offset: number; length: number } {
  if (inRawAt === undefined) return { key: textKey(sha256), offset, length };
  const left = Math.max(0, bytes - offset);
  return { key: rawKey(sha256), offset: inRawAt + offset, length: Math.min(length, left) };
}
