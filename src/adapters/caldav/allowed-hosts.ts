/**
 * Returns the rule for hosts that may receive requests and credentials: the configured host and hosts with an allowed
 * suffix. Redirects and links of a server may name other hosts, which must not receive the password.
 */
export function hostRule(
  configured: string,
  allowedHosts: readonly string[],
): (url: string) => boolean {
  const own = new URL(configured);
  const allowed = [...allowedHosts, ...knownPartitions(own.hostname)].map((one) =>
    one.toLowerCase(),
  );
  return (url) => {
    if (!URL.canParse(url)) return false;
    const { protocol, host, hostname, username } = new URL(url);
    if (username !== "" || (protocol !== "https:" && protocol !== own.protocol)) return false;
    if (!/^https?:$/.test(protocol)) return false;
    if (host === own.host) return true;
    return allowed.some((one) => {
      if (one.startsWith(".")) return hostname.endsWith(one);
      return one === (one.includes(":") ? host : hostname);
    });
  };
}

/** Returns iCloud's suffix. iCloud serves each account from a host of its own, pXX-caldav.icloud.com. */
function knownPartitions(hostname: string): readonly string[] {
  return hostname === "icloud.com" || hostname.endsWith(".icloud.com") ? [".icloud.com"] : [];
}
