import { systemCode } from "../platform/safe-file.ts";

/** The time for one response at the public address. Milliseconds. */
export const answerWithinMs = 10_000;

const trusted = "Use a certificate that browsers trust, and let the proxy send its whole chain.";

/** Sentences for the codes with which Node ends a connection, after the address. */
const unansweredBecause: Readonly<Record<string, string>> = {
  ENOTFOUND: "is not in the DNS. Check the name in PUBLIC_URL, and add its record.",
  EAI_AGAIN: "cannot be looked up, because the DNS does not answer this machine.",
  ECONNREFUSED: "refuses connections. Start the proxy or tunnel, and forward the port to it.",
  ERR_SSL_WRONG_VERSION_NUMBER:
    "does not speak TLS. Clients need https, so a proxy with a certificate must answer there.",
  ERR_TLS_CERT_ALTNAME_INVALID: `has a certificate for another name. ${trusted}`,
  CERT_HAS_EXPIRED: `has a certificate that has expired. ${trusted}`,
};

/** Returns why the server at an address gave no response, and what to do. */
export function whyUnanswered(address: string, thrown: unknown): string {
  const { origin } = new URL(address);
  if (thrown instanceof Error && thrown.name === "TimeoutError")
    return `${origin} does not answer within ${answerWithinMs / 1_000} s. Check that a firewall or router lets clients in.`;
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  const known = unansweredBecause[systemCode(cause) ?? ""];
  if (known !== undefined) return `${origin} ${known}`;
  return /certificate|self-signed/i.test(String(cause))
    ? `${origin} has no valid certificate. ${trusted}`
    : `${origin} does not answer.`;
}
