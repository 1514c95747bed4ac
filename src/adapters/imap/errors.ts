import { ToolError, type ErrorKind } from "../../core/tool/tool-error.ts";
import { fieldAt } from "../../core/shared/data.ts";

type Explanation = [kind: ErrorKind, message: string, hint?: string];

const untrusted =
  /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY))/;
const unreachable = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const late = /^(?:CONNECT_TIMEOUT|GREETING_TIMEOUT|UPGRADE_TIMEOUT|ETIMEOUT|ETIMEDOUT)$/;

/**
 * Converts imapflow's errors to this program's. Their text may contain words of the server, so it goes only to the log.
 */
export function imapError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const [kind, message, hint] = explain(error);
  return new ToolError(kind, message, {
    cause: safeCopy(error),
    ...(hint !== undefined && { hint }),
  });
}

function explain(error: unknown): Explanation {
  const code = textAt(error, "code");
  if (fieldAt(error, "authenticationFailed") === true && code !== "ETHROTTLE")
    return [
      "auth",
      "The IMAP server refused the account.",
      "Correct IMAP_USERNAME and IMAP_PASSWORD. Some providers require an app-specific password.",
    ];
  if (fieldAt(error, "mailboxMissing") === true)
    return [
      "not_configured",
      "The IMAP account does not have this folder.",
      "Correct IMAP_MAILBOX.",
    ];
  if (untrusted.test(code))
    return [
      "not_configured",
      "The certificate of the IMAP server is not trusted. No password was sent.",
      "Correct IMAP_HOST, or give Node the server's certificate authority with NODE_EXTRA_CA_CERTS.",
    ];
  // imapflow has no error code for this.
  if (code === "MissingServerExtension" || /STARTTLS/.test(textAt(error, "message")))
    return [
      "not_configured",
      "The IMAP server offers no encryption at this port. No password was sent.",
      "Set IMAP_PORT to 993, where the server uses TLS from the start.",
    ];
  if (/^ERR_SSL|^EPROTO$/.test(code))
    return [
      "not_configured",
      "The IMAP server does not support TLS at this port.",
      "Correct IMAP_PORT.",
    ];
  if (unreachable.test(code))
    return [
      "unavailable",
      "The IMAP server could not be reached.",
      "Check IMAP_HOST and IMAP_PORT.",
    ];
  if (late.test(code)) return ["timeout", "The IMAP server did not answer in time."];
  if (code === "ETHROTTLE") return ["rate_limited", "The IMAP server limits the rate of requests."];
  return ["unavailable", "The connection to the IMAP server broke."];
}

/** Copies the safe fields of an error. The error itself may contain the command with the password. */
function safeCopy(error: unknown): Error {
  const words = [textAt(error, "code"), textAt(error, "message"), textAt(error, "responseText")];
  return new Error(words.filter(Boolean).join(": ").slice(0, 300));
}

function textAt(error: unknown, name: string): string {
  const value = fieldAt(error, name);
  return typeof value === "string" ? value : "";
}
