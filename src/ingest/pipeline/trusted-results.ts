import type { Authentication } from "../../ports/mail/mail-reader.ts";
import { comparableAddress } from "../../core/shared/mail-address.ts";
import type { HeaderLine } from "../mime/headers.ts";

/** Longer ones are nobody's; the patterns below go over them a few times. Characters. */
const maxCharacters = 8_000;

interface Results {
  host: string;
  /** The first word for each method. */
  words: Map<string, string>;
  /** The domain that DMARC was judged for. */
  headerFrom: string | undefined;
  /** The domain that SPF was judged for, if it is told. */
  mailFrom: string | undefined;
}

/**
 * Returns what the operator's own mail server found out about a message before it came here, from its
 * `Authentication-Results` (RFC 8601).
 * @param author the one address in From, as it is compared
 */
export function trustedResults(
  headers: readonly HeaderLine[],
  trustedHost: string,
  author: string | undefined,
): Authentication | undefined {
  const { words, headerFrom } = resultsOf(headers, trustedHost);
  if (words.size === 0) return undefined;
  const [spf, dkim, dmarc] = [words.get("spf"), words.get("dkim"), words.get("dmarc")];
  const domain = author?.slice(author.lastIndexOf("@") + 1);
  const judged = headerFrom && comparableAddress(`@${headerFrom}`).slice(1);
  const isAboutAuthor = domain !== undefined && (judged ?? domain) === domain;
  return {
    ...(spf !== undefined && { spf }),
    ...(dkim !== undefined && { dkim }),
    ...(dmarc !== undefined && { dmarc }),
    from:
      dmarc === "fail" ? "failed" : dmarc === "pass" && isAboutAuthor ? "aligned" : "unverified",
  };
}

/** Returns whether the same server verified the domain of an envelope sender (SPF); undefined if it does not say. */
export function trustedEnvelope(
  headers: readonly HeaderLine[],
  trustedHost: string,
  domain: string,
): boolean | undefined {
  const { words, mailFrom } = resultsOf(headers, trustedHost);
  const judged = mailFrom && comparableAddress(`@${mailFrom}`).slice(1);
  return words.size === 0
    ? undefined
    : words.get("spf") === "pass" && (judged === undefined || judged === domain);
}

/**
 * A sender can write such headers, too: only the topmost of that host counts, and further ones of it that stand, like it, above
 * every `Received`, where nothing of the sender's can be.
 */
function resultsOf(headers: readonly HeaderLine[], trustedHost: string): Omit<Results, "host"> {
  const words = new Map<string, string>();
  let headerFrom: string | undefined;
  let mailFrom: string | undefined;
  let isBelowReceived = false;
  for (const [name, value] of headers) {
    if (name === "received") {
      if (words.size > 0) break;
      isBelowReceived = true;
    }
    if (name !== "authentication-results") continue;
    const results = read(value);
    if (results?.host !== trustedHost) continue;
    for (const [method, word] of results.words) if (!words.has(method)) words.set(method, word);
    headerFrom ??= results.headerFrom;
    mailFrom ??= results.mailFrom;
    if (isBelowReceived) break;
  }
  return { words, headerFrom, mailFrom };
}

function read(value: string): Results | undefined {
  if (value.length > maxCharacters) return undefined;
  const [id = "", ...parts] = plain(value).split(";");
  // A version may follow the host.
  const host = id.trim().split(/\s+/)[0]?.replaceAll('"', "").toLowerCase() ?? "";
  const words = new Map<string, string>();
  let headerFrom: string | undefined;
  let mailFrom: string | undefined;
  for (const part of parts) {
    const found = /^\s*([a-z0-9-]+)(?:\s*\/\s*\d+)?\s*=\s*([a-z]+)/i.exec(part);
    const method = found?.[1]?.toLowerCase();
    const word = found?.[2]?.toLowerCase();
    if (method === undefined || word === undefined) continue;
    // One good signature of several is enough (RFC 6376 6.1). DMARC is judged once: who reads two words of it was misled.
    const counts =
      method === "dkim"
        ? word === "pass"
        : method === "dmarc" && (word === "fail" || words.get(method) === "pass");
    if (!words.has(method) || counts) words.set(method, word);
    if (method === "dmarc")
      headerFrom ??= /\bheader\.from\s*=\s*"?(?:[^\s"@]*@)?([^\s"]+)/i
        .exec(part)?.[1]
        ?.toLowerCase();
    if (method === "spf")
      mailFrom ??= /\bsmtp\.mailfrom\s*=\s*(?:[^\s;]*@)?([^\s"@;]+)/i
        .exec(part)?.[1]
        ?.toLowerCase();
  }
  return { host, words, headerFrom, mailFrom };
}

/**
 * Without comments, which nest (RFC 5322 3.2.2), and without what means something here in quoted strings, which hold none:
 * the sender chooses what stands there, as in `smtp.mailfrom="a; dmarc=pass"@example.org`.
 */
function plain(value: string): string {
  const lastQuote = value.lastIndexOf('"');
  let depth = 0;
  let isQuoted = false;
  let kept = "";
  for (let at = 0; at < value.length; at += 1) {
    const character = value[at] ?? "";
    if (character === "\\") {
      if (depth === 0) kept += "__";
      at += 1;
    } else if (character === '"' && depth === 0 && (isQuoted || at < lastQuote)) {
      isQuoted = !isQuoted;
      kept += character;
    } else if (isQuoted) kept += /[;=]/.test(character) ? "_" : character;
    else if (character === "(") depth += 1;
    else if (character === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += character;
  }
  return kept;
}
