import type { Authentication } from "../../ports/mail/mail-reader.ts";
import { comparableAddress } from "../../core/shared/text/mail-address.ts";
import type { HeaderLine } from "../mime/headers.ts";

/**
 * Longest header that is read, because several patterns are applied to the whole text. Real headers are shorter.
 * Characters.
 */
const maxCharacters = 8_000;

interface Results {
  host: string;
  /** The first result for each method. */
  words: Map<string, string>;
  /** The domain that DMARC was checked for. */
  headerFrom: string | undefined;
  /** The domain that SPF was checked for, if the header names it. */
  mailFrom: string | undefined;
}

/**
 * Returns the results of the operator's own mail server for a message, from its `Authentication-Results` (RFC 8601).
 * @param author the one address in From, normalised
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

/**
 * Returns whether the same server authenticated the domain of an envelope sender (SPF). Undefined if it gives no
 * result.
 */
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
 * Returns the results of the trusted host. A sender can write such headers too, but only below the first `Received`.
 * All headers of that host above this line count, or else its topmost one.
 */
function resultsOf(headers: readonly HeaderLine[], trustedHost: string): Omit<Results, "host"> {
  const words = new Map<string, string>();
  let headerFrom: string | undefined;
  let mailFrom: string | undefined;
  let isBelowReceived = false;
  let isFound = false;
  for (const [name, value] of headers) {
    if (name === "received") {
      if (isFound) break;
      isBelowReceived = true;
    }
    if (name !== "authentication-results") continue;
    const results = read(value);
    if (results.host !== trustedHost) continue;
    isFound = true;
    for (const [method, word] of results.words) if (!words.has(method)) words.set(method, word);
    headerFrom ??= results.headerFrom;
    mailFrom ??= results.mailFrom;
    if (isBelowReceived) break;
  }
  return { words, headerFrom, mailFrom };
}

function read(value: string): Results {
  // A server writes its name first, and removes such headers from received mail. It may have missed one with a comment
  // before the name. A version may follow.
  const [, name = ""] = /^\s*("[^"\\]+"|[^\s;()"]+)(?=[\s;(]|$)/.exec(value) ?? [];
  const host = name.replaceAll('"', "").toLowerCase();
  const { text, isBalanced } = plain(value.slice(0, maxCharacters));
  const parts = text.split(";").slice(1);
  const words = new Map<string, string>();
  let headerFrom: string | undefined;
  let mailFrom: string | undefined;
  for (const part of parts) {
    const found = /^\s*([a-z0-9-]+)(?:\s*\/\s*\d+)?\s*=\s*([a-z]+)(?=\s|$)/i.exec(part);
    const method = found?.[1]?.toLowerCase();
    const word = found?.[2]?.toLowerCase();
    if (method === undefined || word === undefined) continue;
    // One valid signature of several is enough (RFC 6376 6.1). DMARC has only one result, so two results mean a forged
    // header.
    const takesPrecedence =
      method === "dkim"
        ? word === "pass"
        : method === "dmarc" && (word === "fail" || words.get(method) === "pass");
    if (!words.has(method) || takesPrecedence) words.set(method, word);
    if (method === "dmarc")
      headerFrom ??= /(?<![\w.-])header\.from\s*=\s*"?(?:[^\s"@]*@)?([^\s"]+)/i
        .exec(part)?.[1]
        ?.toLowerCase();
    if (method === "spf")
      mailFrom ??= /(?<![\w.-])smtp\.mailfrom\s*=\s*(?:[^\s;]*@)?([^\s"@;]+)/i
        .exec(part)?.[1]
        ?.toLowerCase();
  }
  // The sender chose parts of the text. If quotation marks are not balanced, these parts may have moved a verdict,
  // which then proves nothing.
  const isClear = isBalanced && value.length <= maxCharacters && !contradicts(value, words);
  if (!isClear) for (const [method, word] of words) if (word === "pass") words.delete(method);
  return { host, words, headerFrom, mailFrom };
}

/** Returns whether the text has another DMARC result anywhere, also within quotation marks and comments. */
function contradicts(value: string, words: ReadonlyMap<string, string>): boolean {
  if (words.get("dmarc") !== "pass") return false;
  const all = [...value.matchAll(/(?<![\w.-])dmarc\s*(?:\/\s*\d+\s*)?=\s*([a-z]+)/gi)];
  return all.some(([, word]) => word?.toLowerCase() !== "pass");
}

/**
 * Removes comments, which nest (RFC 5322 3.2.2), and special characters in quoted strings. The sender chooses some of
 * this text, as in `smtp.mailfrom="a; dmarc=pass"@example.org`.
 */
function plain(value: string): { text: string; isBalanced: boolean } {
  const lastQuote = value.lastIndexOf('"');
  let depth = 0;
  let isQuoted = false;
  let isBalanced = true;
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
    else if (character === ")") {
      if (depth === 0) isBalanced = false;
      depth = Math.max(0, depth - 1);
    } else if (depth === 0) {
      if (character === '"') isBalanced = false;
      kept += character;
    }
  }
  return { text: kept, isBalanced: isBalanced && depth === 0 && !isQuoted };
}
