const loopback: readonly string[] = ["127.0.0.1", "[::1]", "localhost"];

function isLoopbackHttp(uri: URL): boolean {
  return uri.protocol === "http:" && loopback.includes(uri.hostname);
}

/** Returns whether a client may register this address: https, or this computer. */
export function isRedirectAllowed(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const uri = new URL(text);
  if (uri.username !== "" || uri.password !== "" || text.includes("#")) return false;
  return uri.protocol === "https:" || isLoopbackHttp(uri);
}

/**
 * Returns whether a request may name this address. Programs on this computer learn their port only when they listen, so
 * the port of a loopback address may differ (RFC 8252, section 7.3). All else is compared as text.
 */
export function isRegistered(asked: string, registered: readonly string[]): boolean {
  if (registered.includes(asked)) return true;
  const bare = withoutPort(asked);
  return bare !== undefined && registered.some((each) => withoutPort(each) === bare);
}

function withoutPort(text: string): string | undefined {
  if (!isRedirectAllowed(text)) return undefined;
  const uri = new URL(text);
  if (!isLoopbackHttp(uri)) return undefined;
  uri.port = "";
  return uri.href;
}
