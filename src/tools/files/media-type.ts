/** What a file is taken for where the writer did not say. */
export function defaultMediaType(encoding: "utf-8" | "base64"): string {
  return encoding === "utf-8" ? "text/plain; charset=utf-8" : "application/octet-stream";
}

/** Whether its bytes are meant to be read as text (RFC 6838 structured suffixes, RFC 9239 JavaScript). */
export function isTextual(mediaType: string): boolean {
  return /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|toml|javascript|sql)\b)/i.test(
    mediaType,
  );
}
