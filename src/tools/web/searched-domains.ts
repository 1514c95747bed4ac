import { domainToASCII } from "node:url";
import { ToolError } from "../../core/tool/tool-error.ts";

/** Of both lists together: more is no way to search, but one to send something out. */
export const domainsAtMost = 5;

/** The query and all domains together: whatever leaves is read by a person in one line of the record. Characters. */
export const charactersAtMost = 300;

const label = "(?!-)[a-z0-9-]{1,63}(?<!-)";
const hostName = new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})+$`);

export interface Domains {
  includeDomains?: readonly string[] | undefined;
  excludeDomains?: readonly string[] | undefined;
}

/**
 * Checks all that a caller chose and that leaves the house, and returns the domains as host names in ASCII and lower case.
 * @throws ToolError `invalid_input` for more than the limits, and for what is no host below a public suffix
 */
export async function searchedDomains(query: string, domains: Domains): Promise<Domains> {
  const { includeDomains = [], excludeDomains = [] } = domains;
  const all = [...includeDomains, ...excludeDomains];
  if (all.length > domainsAtMost) {
    throw invalid(`includeDomains and excludeDomains have more than ${domainsAtMost} together`);
  }
  if (all.length === 0) return {};
  // Its list is large: only who names a domain waits for it.
  const { parse } = await import("tldts");
  const checked = (field: string) => (given: string) => {
    const host = /^[\p{L}\p{M}\p{N}.-]+$/u.test(given) ? domainToASCII(given) : "";
    const { domain, isIcann, isIp } = parse(host, { allowPrivateDomains: false });
    if (!hostName.test(host) || domain === null || isIcann !== true || isIp === true) {
      throw invalid(`${field} has something that is no domain like example.org`);
    }
    return host;
  };
  const included = includeDomains.map(checked("includeDomains"));
  const excluded = excludeDomains.map(checked("excludeDomains"));
  const characters = [query, ...included, ...excluded].join("").length;
  if (characters > charactersAtMost) {
    throw invalid(`query and domains have more than ${charactersAtMost} characters together`);
  }
  return {
    ...(included.length > 0 && { includeDomains: included }),
    ...(excluded.length > 0 && { excludeDomains: excluded }),
  };
}

function invalid(why: string): ToolError {
  return new ToolError("invalid_input", `${why}. Nothing was searched for, and nothing left.`, {
    hint: "Search for less at a time, and name domains below a public ending, such as example.org; no address, no ending alone.",
  });
}
