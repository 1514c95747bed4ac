import { RequestFault } from "./errors.ts";

/** Why there is no connection, and the action that helps. */
interface Explanation {
  /** Codes of Node and OpenSSL. The first explanation with a matching one applies. */
  codes: RegExp;
  /** Follows the server's name. */
  reason: string;
  fix: string;
}

const explanations: readonly Explanation[] = [
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    reason: "has a certificate for another name",
    fix: 'Correct the name in its "url" in servers.json, or the certificate of the server.',
  },
  {
    codes: /^CERT_HAS_EXPIRED$/,
    reason: "has a certificate that has expired",
    fix: "Renew the certificate of the server.",
  },
  {
    codes: /^(?:CERT_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_)/,
    reason: "has a certificate that is not trusted",
    fix: "Give Node the server's certificate authority with NODE_EXTRA_CA_CERTS.",
  },
  {
    codes: /^(?:ERR_SSL_|EPROTO$)/,
    reason: "does not speak TLS at this address",
    fix: 'Correct "https" or the port in its "url" in servers.json.',
  },
  {
    codes: /^ENOTFOUND$/,
    reason: "cannot be reached, because its name is not in the DNS",
    fix: 'Correct the name in its "url" in servers.json.',
  },
  {
    codes: /^EAI_AGAIN$/,
    reason: "cannot be reached, because the DNS does not answer",
    fix: "Check the network of this machine.",
  },
];

/** Returns the fault of a connection that did not open. The request was not sent. */
export function notConnected(cause: unknown): RequestFault {
  const code = codeOf(cause);
  const known = explanations.find(({ codes }) => codes.test(code));
  const { reason = "cannot be reached", fix } = known ?? {};
  return new RequestFault(reason, { fix, cause });
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}
