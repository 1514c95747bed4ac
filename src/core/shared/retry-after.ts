/** Nobody waits longer for a retry. Seconds. */
const maxWaitSeconds = 86_400;

/** Seconds that a `Retry-After` asks for, in either of its forms (RFC 9110 section 10.2.3). */
export function retryAfterSeconds(header: string | null): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const seconds = /^\d+$/.test(header.trim())
    ? Number(header)
    : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(1, seconds), maxWaitSeconds);
}
