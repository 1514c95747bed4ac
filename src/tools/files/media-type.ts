/** Returns the media type of a file if the writer gave none. */
export function defaultMediaType(encoding: "utf-8" | "base64"): string {
  return encoding === "utf-8" ? "text/plain; charset=utf-8" : "application/octet-stream";
}

/** Returns whether a media type is text (RFC 6838 structured suffixes, RFC 9239 JavaScript). */
export function isTextual(mediaType: string): boolean {
  return /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|toml|javascript|sql)\b)/i.test(
    mediaType,
  );
}
