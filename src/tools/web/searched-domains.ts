import { domainToASCII } from "node:url";
import { visible } from "../../core/shared/text/visible.ts";
import { ToolError } from "../../core/tool/tool-error.ts";

/** Limit of both lists together. More domains are not needed for a search, and could carry data out. */
export const domainsAtMost = 5;

/**
 * Limit of the query and all domains together, because a person reads them in one line of the audit record. An
 * invisible character counts as its escape sequence, so it cannot carry more than is shown. Characters.
 */
export const charactersAtMost = 300;

/**
 * Top-level names outside the public web (RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476, and ICANN's `internal`),
 * and `arpa`, which has no pages. The public suffix list contains some of them.
 */
const specialUse = /(?:^|\.)(?:alt|arpa|example|internal|invalid|local|localhost|onion|test)$/;

const label = "(?!-)[a-z0-9-]{1,63}(?<!-)";
const hostName = new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})+$`);

export interface Domains {
  includeDomains?: readonly string[] | undefined;
  excludeDomains?: readonly string[] | undefined;
}

/**
 * Checks all outgoing text that a caller chose. Returns the domains as host names in ASCII and lower case.
 * @throws {ToolError} `invalid_input` beyond the limits, or for a name that is not a host below a public suffix
 */
export async function searchedDomains(query: string, domains: Domains): Promise<Domains> {
  const { includeDomains = [], excludeDomains = [] } = domains;
  const all = [...includeDomains, ...excludeDomains];
  if (all.length > domainsAtMost) {
    throw invalid(`includeDomains and excludeDomains have more than ${domainsAtMost} together`);
  }
  if (shownLength([query, ...all]) > charactersAtMost) throw tooLong();
  if (all.length === 0) return {};
  // The suffix list is large, so it is loaded only if a domain is given.
  const { parse } = await import("tldts");
  const checked = (field: string) => (given: string) => {
    const host = /^(?:(?!\p{DI})[\p{L}\p{M}\p{N}.-])+$/u.test(given) ? domainToASCII(given) : "";
    const { domain, isIcann, isIp } = parse(host, { allowPrivateDomains: false });
    const isPublic = domain !== null && isIcann === true && isIp !== true;
    if (!hostName.test(host) || !isPublic || specialUse.test(host)) {
      throw invalid(`${field} contains a value that is not a domain like example.org`);
    }
    return host;
  };
  const included = includeDomains.map(checked("includeDomains"));
  const excluded = excludeDomains.map(checked("excludeDomains"));
  // The length counts the ASCII form of a name, which is longer and is the form that is sent.
  if (shownLength([query, ...included, ...excluded]) > charactersAtMost) throw tooLong();
  return {
    ...(included.length > 0 && { includeDomains: included }),
    ...(excluded.length > 0 && { excludeDomains: excluded }),
  };
}

function shownLength(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + visible(text).length, 0);
}

function tooLong(): ToolError {
  const limit = `${charactersAtMost} characters together`;
  return invalid(
    `query and domains have more than ${limit}, counting an invisible one as its code such as \\u{200B}`,
  );
}

function invalid(why: string): ToolError {
  return new ToolError("invalid_input", `${why}. Nothing was searched, and no data was sent.`, {
    hint: "Shorten the query. Name domains below a public suffix, such as example.org. IP addresses and bare suffixes are not accepted.",
  });
}
