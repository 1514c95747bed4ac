import type { Resolver } from "node:dns/promises";
import { domainToASCII } from "node:url";
// Imported by parts, because the package's entry would also load code that fetches logos and certificates (BIMI).
import type { ARCData } from "mailauth";
import { arc } from "mailauth/lib/arc/index.js";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { dmarc } from "mailauth/lib/dmarc/index.js";
import { spf } from "mailauth/lib/spf/index.js";
import type { Authentication } from "../../ports/mail/mail-reader.ts";
import { boundedLookups, type Lookups } from "./lookups.ts";
import type { Job, CheckVerdict } from "./messages.ts";

/** mailauth's result for a signature. Its types omit the signed headers. */
interface Signature {
  signingDomain?: string;
  signingHeaders?: { keys?: string };
  status: { result: string; comment?: unknown; underSized?: unknown };
}

interface Dkim {
  /**
   * The result in words of RFC 8601, only of signatures of the author's own organisation. No other signature can
   * authenticate the author.
   */
  result: string;
  /** Domains with a valid signature. */
  domains: string[];
}

interface Spf {
  result: string;
  domain: string;
  isAligned: boolean;
}

/** Checks SPF, DKIM and DMARC of one message. */
export async function checkMessage(job: Job, resolver: Resolver): Promise<CheckVerdict> {
  const { author, sealer = "" } = job;
  const signers = boundedLookups(resolver, (name) => isAligned(author, signerIn(name)));
  const clients = boundedLookups(resolver);
  const [dkim, sent] = await Promise.all([checkDkim(job, signers), checkSpf(job, clients)]);
  const policies = boundedLookups(resolver);
  const policy = await dmarc({
    headerFrom: author,
    spfDomains: sent?.result === "pass" ? [sent.domain] : [],
    dkimDomains: dkim.domains.map((domain) => ({ domain })),
    resolver: policies.resolve,
  });
  const sentBy = sent?.result === "pass" && sent.isAligned ? [sent.domain] : [];
  const strict = policy === false ? undefined : policy.alignment;
  const isProven =
    vouches(author, dkim.domains, strict?.dkim.strict) ||
    vouches(author, sentBy, strict?.spf.strict);
  const found = policy === false ? "none" : policy.status.result;
  const result = found === "pass" && !isProven ? "fail" : found;
  const isVerified = result === "pass" || (result === "none" && isProven);
  const sealers = boundedLookups(resolver, (name) => isAligned(`mail@${sealer}`, signerIn(name)));
  const sealedResults = isVerified ? undefined : await checkSeal(job, sealers);
  // The result is open: SPF might have passed at the first receiver, and after a temporary DNS failure a check may pass
  // later.
  const isOpen =
    dkim.result === "temperror" ||
    (sent?.isAligned === true && sent.result === "temperror") ||
    (sealedResults === undefined && sealers.unanswered > 0);
  const isFailed = result === "fail" && sent !== undefined && !isOpen;
  const from = isFailed ? "failed" : isVerified ? "aligned" : "unverified";
  const dmarcWord = result === "fail" && !isFailed ? (isOpen ? "temperror" : undefined) : result;
  const authentication: Authentication = {
    ...(sent !== undefined && { spf: sent.result }),
    dkim: dkim.result,
    ...(dmarcWord !== undefined && { dmarc: dmarcWord }),
    from,
  };
  const wasUnreachable =
    sealedResults === undefined && from === "unverified" && (isOpen || result === "temperror");
  return {
    authentication,
    sealedResults,
    unreachable: wasUnreachable ? unansweredOf([signers, clients, policies, sealers]) : undefined,
  };
}

/**
 * Returns whether a domain authenticates the author. All given domains belong to the author's organisation. A strict
 * policy is checked here, because mailauth treats it as relaxed.
 */
function vouches(author: string, domains: readonly string[], isStrict = false): boolean {
  const own = domainToASCII(author.slice(author.lastIndexOf("@") + 1));
  return domains.some((domain) => !isStrict || domainToASCII(domain) === own);
}

/** Returns the domain of `selector._domainkey.domain`. */
function signerIn(name: string): string {
  const mark = "._domainkey.";
  return name.slice(name.lastIndexOf(mark) + mark.length);
}

function unansweredOf(all: readonly Lookups[]): "all" | "some" {
  return all.every(({ asked, unanswered }) => asked === unanswered) ? "all" : "some";
}

/** Returns whether both belong to one organisation, by the public suffix list of the DMARC check. */
async function isAligned(author: string, domain: string): Promise<boolean> {
  const resolver = () => Promise.resolve([["v=DMARC1; p=none"]]);
  const found = await dmarc({
    headerFrom: author,
    spfDomains: [domain],
    dkimDomains: [],
    resolver,
  });
  return found !== false && found.status.result === "pass";
}

async function checkDkim({ raw, author, isSigned }: Job, lookups: Lookups): Promise<Dkim> {
  if (!isSigned) return { result: "none", domains: [] };
  const { results } = await dkimVerify(Buffer.from(raw.buffer, raw.byteOffset, raw.length), {
    resolver: lookups.resolve,
  });
  const words: string[] = [];
  const domains: string[] = [];
  // mailauth's own type has no `signingHeaders`.
  for (const signature of results as Signature[]) {
    const { signingDomain = "", status } = signature;
    if (signingDomain === "" || !(await isAligned(author, signingDomain))) continue;
    const coversMail = isComplete(signature);
    if (status.result === "pass" && coversMail) domains.push(signingDomain);
    words.push(dkimWord(status, coversMail));
  }
  const order = ["pass", "temperror", "fail", "policy"];
  return { result: order.find((word) => words.includes(word)) ?? words[0] ?? "none", domains };
}

/**
 * Returns the results of the trusted sealer. Every seal of the chain must be from its organisation, and the newest must
 * match the message, because a forger can add another seal.
 */
async function checkSeal({ raw, sealer }: Job, keys: Lookups): Promise<string | undefined> {
  if (sealer === undefined) return undefined;
  const message = Buffer.from(raw.buffer, raw.byteOffset, raw.length);
  const { arc: chain } = await dkimVerify(message, { resolver: keys.resolve });
  if (chain === undefined) return undefined;
  // mailauth declares the same type twice.
  const {
    status,
    signature,
    chain: links,
  } = await arc(chain as ARCData, { resolver: keys.resolve });
  if (status.result !== "pass" || !signature || !isComplete(signature)) return undefined;
  return links
    ?.at(-1)
    ?.["arc-authentication-results"]?.original?.toString()
    .replace(/^[^:]*:\s*i\s*=\s*\d+\s*;/i, "")
    .replace(/\s+/g, " ");
}

/**
 * Returns whether a signature covers From and the whole text. A signature that omits From proves no author (RFC 6376
 * 5.4). A partial body signature allows additions.
 */
function isComplete({ signingHeaders, status }: Signature): boolean {
  const covers = /(?:^|:)\s*from\s*(?::|$)/i.test(signingHeaders?.keys ?? "");
  return covers && (status.underSized === undefined || status.underSized === 0);
}

function dkimWord({ result, comment }: Signature["status"], coversMail: boolean): string {
  if (result === "pass") return coversMail ? "pass" : "policy";
  return comment === "body hash did not verify" ? "fail" : result;
}

async function checkSpf({ author, session }: Job, lookups: Lookups): Promise<Spf | undefined> {
  if (session === undefined) return undefined;
  const { remoteAddress: ip, helo, mailFrom } = session;
  const resolver = lookups.resolve;
  const sender = inAscii(mailFrom);
  const { status, domain } = await spf({ sender, ip, helo, mta: "localhost", resolver });
  return { result: status.result, domain, isAligned: await isAligned(author, domain) };
}

/** Converts the domain of an address to ASCII, as mailauth requires. An invalid domain stays unchanged. */
function inAscii(address: string): string {
  const at = address.lastIndexOf("@") + 1;
  return address.slice(0, at) + (domainToASCII(address.slice(at)) || address.slice(at));
}
