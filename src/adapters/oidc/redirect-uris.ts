import { errors } from "./library.ts";

const loopback: readonly string[] = ["127.0.0.1", "[::1]", "localhost"];

/** A loopback address as text: host, port, and the rest. */
const loopbackText = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(|[/?].*)$/;

/** Returns whether a client may register this address: https, or this computer. */
function isRedirectAllowed(text: string): boolean {
  // A URL parser drops or replaces these characters, so programs could read the address differently.
  if (/[^\x21-\x7e]|[#\\]/.test(text) || !URL.canParse(text)) return false;
  const uri = new URL(text);
  if (uri.username !== "" || uri.password !== "") return false;
  if (uri.protocol === "https:") return /^https:\/\/[^/]/i.test(text);
  return isLoopback(uri);
}

/**
 * Returns the addresses of a registration or document that a client may use. Clients such as Cursor send one list to all
 * servers, and other servers allow the schemes of apps.
 */
export function allowedRedirects(uris: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(uris) ? uris : [];
  return all.filter((uri): uri is string => typeof uri === "string" && isRedirectAllowed(uri));
}

/** Checks the addresses of a registration. @throws InvalidClientMetadata */
export function assertRedirectsAllowed(uris: unknown): void {
  if (!Array.isArray(uris) || uris.length === 0)
    throw new errors.InvalidClientMetadata("redirect_uris must list at least one address");
  if (!uris.every((uri) => typeof uri === "string" && isRedirectAllowed(uri)))
    throw new errors.InvalidClientMetadata("redirect_uris must be https or a loopback address");
}

/** Returns whether a program on the person's own computer receives this redirect. */
export function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && loopback.includes(hostname);
}

/**
 * Returns whether a request may name this address. Programs on this computer get their port only when they listen, so
 * the port of a loopback address may differ (RFC 8252, section 7.3). Everything else is compared as text.
 */
export function isRegistered(asked: string, registered: readonly string[]): boolean {
  if (registered.includes(asked)) return true;
  const bare = withoutPort(asked);
  return bare !== undefined && registered.some((each) => withoutPort(each) === bare);
}

function withoutPort(text: string): string | undefined {
  if (!isRedirectAllowed(text)) return undefined;
  const [, host, rest] = loopbackText.exec(text) ?? [];
  return host === undefined ? undefined : `${host}${rest === "" ? "/" : rest}`;
}
