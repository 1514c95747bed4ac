/** A longer wait is reduced to one day. Seconds. */
const maxWaitSeconds = 86_400;

/** Returns the seconds of a `Retry-After` header, in either of its forms (RFC 9110 section 10.2.3). */
export function retryAfterSeconds(header: string | null): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const seconds = /^\d+$/.test(header.trim())
    ? Number(header)
    : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(1, seconds), maxWaitSeconds);
}
