import { isAddress } from "../../../core/network-limits/network.ts";

/** Names and addresses of this machine. Requests to them do not use a network. */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Returns whether a person may be sent to a sign-in page. A page without TLS must be at the configured server. */
export function isSafePage(page: URL, server: URL): boolean {
  if (page.protocol === "https:") return true;
  if (page.protocol !== "http:") return false;
  return (
    page.host === server.host || (page.hostname === server.hostname && loopback.test(page.hostname))
  );
}

/**
 * Returns whether two addresses belong to one site: the same host, or hosts of one registered domain. There is no list
 * of all registries, so a short name below a country, such as `co.uk`, counts as a registry.
 */
export function isSameSite(one: URL, other: URL | undefined): boolean {
  return other !== undefined && siteOf(one) === siteOf(other);
}

function siteOf({ hostname }: URL): string {
  if (isAddress(hostname)) return hostname;
  const labels = hostname.split(".");
  const isBelowCountry = labels.at(-1)?.length === 2 && (labels.at(-2)?.length ?? 0) <= 3;
  return labels.slice(isBelowCountry ? -3 : -2).join(".");
}
