import { hasAccessPurpose, otherThings } from "./access-words.ts";
import { notByYou, passwordStems, validity } from "./code-words.ts";
import { addressesIn, occurs, type TextRange } from "./found.ts";
import {
  linkPurposes,
  newsletterLabels,
  otherPaths,
  otherPurposes,
  signInPaths,
} from "./link-words.ts";

/** Programs that wrap lines cut only addresses of at least this length. Characters. */
const wrappedCharacters = 68;
/** Characters before and after a link that say its purpose. */
const beforeCharacters = 220;
const behindCharacters = 120;
const aroundCharacters = 1_200;
/** Words of a URL that gives access. */
const entryPaths = /log-?in|sign-?in|magic|password|otp(?![a-z])|unlock|reset/i;
/** A link with at least this many points is hidden. */
const enough = 4;
/** Points for a purpose in the text around a link. */
const mostAround = 2;

/** Parameters whose value is a token even when it is short. */
const tokenNames =
  /^(?:.*(?:token|otp|code|hash|secret|signature|nonce|ticket|jwt|oobcode|magic|confirmation|key|guid|uuid)|t|k|sig|h|s|c|tk|vc|hk)$/i;
/** Parameters whose value never opens an account. */
const plainNames =
  /^(?:utm_.*|mc_.*|ref|referrer|source|lang|locale|hl|redirect.*|return.*|next|url|continue|email|e-?mail|user(?:name)?|id|page|q|campaign.*|gclid|fbclid)$/i;

/** Characters of a label before a link. */
const labelCharacters = 80;

/** Returns whether a link opens a newsletter in a browser or unsubscribes from it. */
export function isOfNewsletter(text: string, { start }: TextRange): boolean {
  return newsletterLabels.test(text.slice(Math.max(0, start - labelCharacters), start));
}

/** Finds links that reset a password, sign in or confirm an account. */
export function findLinks(subject: string, text: string): TextRange[] {
  const links = addressesIn(text).map((place) => whole(text, place));
  const opening = links.map(({ start, end }) => hasToken(text.slice(start, end)));
  if (!opening.includes(true)) return [];
  const isAbout =
    occurs(linkPurposes, subject) || hasAccessPurpose(subject) || occurs(passwordStems, subject);
  const isOnly = text.length < aroundCharacters && opening.filter(Boolean).length === 1;
  const warnings = [validity, notByYou].filter((pattern) => occurs(pattern, text)).length;
  return links.filter((link, at) => {
    const address = text.slice(link.start, link.end);
    if (opening[at] !== true || isOfNewsletter(text, link)) return false;
    const from = Math.max(links[at - 1]?.end ?? 0, link.start - beforeCharacters);
    return evidenceFor(text, link, address, { from, isAbout, isOnly, warnings }) >= enough;
  });
}

function evidenceFor(
  text: string,
  { start, end }: TextRange,
  address: string,
  {
    from,
    isAbout,
    isOnly,
    warnings,
  }: { from: number; isAbout: boolean; isOnly: boolean; warnings: number },
): number {
  const path = address.replace(/^[a-z+.-]+:\/\/[^/?#]*/i, (host) =>
    /[/?#]/.test(address.slice(host.length, host.length + 1)) ? "" : host,
  );
  const before = text.slice(from, start);
  const line = before.slice(before.trimEnd().lastIndexOf("\n") + 1).trim();
  const isToAccess = line !== "" && hasAccessPurpose(line) && !occurs(otherThings, line);
  const isLabelled = line !== "" && occurs(linkPurposes, line);
  const isElse = otherPurposes.test(line) || occurs(otherThings, line);
  const leadsIn = signInPaths.test(path);
  // A purpose that ends with a colon is the label of the link after it.
  const isNamed = isLabelled && /[:：]$/.test(line) && !otherPurposes.test(line);
  const points =
    (leadsIn ? 2 : 0) +
    (isNamed ? 2 : 0) +
    (isToAccess && !otherPurposes.test(line) ? (isOnly ? 2 : 1) : 0) +
    (!isNamed && (isToAccess || (isAbout && isOnly)) && /[:：]$/.test(line) ? 1 : 0) +
    (isAbout ? 1 : 0) +
    (isOnly && (isAbout || entryPaths.test(path)) && !isElse ? 2 : 0) -
    (otherPaths.test(path) && !(leadsIn && isLabelled) ? 3 : 0) -
    (!isLabelled && isElse ? 3 : 0);
  // Returns early, because the text around a link takes longest to examine, and its points could not be enough.
  if (points + mostAround + warnings < enough) return points;
  const near = before + text.slice(end, end + behindCharacters).split("\n\n", 1)[0];
  const around = text.slice(Math.max(0, start - aroundCharacters), end + aroundCharacters);
  const hasPurpose = occurs(linkPurposes, near) || hasAccessPurpose(near);
  return (
    points +
    (hasPurpose ? mostAround : 0) +
    (occurs(validity, around) ? 1 : 0) +
    (occurs(notByYou, around) ? 1 : 0)
  );
}

/** Adds the rest of a URL that a program cut at the end of a line. */
function whole(text: string, { start, end }: TextRange): TextRange {
  const trimmed = text.slice(start, end).replace(/[.,;:!?*_]+$/, "");
  const stop = start + trimmed.length;
  if (stop !== end || text[stop] !== "\n" || trimmed.length < wrappedCharacters)
    return { start, end: stop };
  const rest = /^\n([\w\-.~%+=&?/]{8,})(?=\n|$)/.exec(text.slice(stop, stop + 600))?.[1];
  return rest !== undefined && /\d/.test(rest) && /[a-z]/i.test(rest)
    ? { start, end: stop + 1 + rest.length }
    : { start, end: stop };
}

/** Returns whether an address has a part that cannot be guessed. */
function hasToken(address: string): boolean {
  const [, rest = ""] =
    /^[a-z+.-]+:\/\/[^/?#]*(.*)$/is.exec(address) ?? /^[^/]*(.*)$/s.exec(address) ?? [];
  return rest.split(/[/?&#;]/).some((part) => {
    const cut = part.indexOf("=");
    const name = cut > 0 ? part.slice(0, cut) : "";
    const value = cut > 0 ? part.slice(cut + 1) : part;
    if (plainNames.test(name)) return false;
    return (
      isOpaque(value) || (tokenNames.test(name) && /^[\w\-.~%+]{3,}$/.test(value) && !isSlug(value))
    );
  });
}

/** Returns whether a value is random and not words. */
function isOpaque(value: string): boolean {
  if (/^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9]{8,11}$/.test(value)) return true;
  if (value.length < 12 || !/^[\w\-.~%+=!*:$@,\n]+$/.test(value) || /%2f/i.test(value))
    return false;
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(value)) return true;
  if (isSlug(value)) return false;
  const hasDigit = /\d/.test(value);
  const hasLetter = /[a-z]/i.test(value);
  if (hasDigit && hasLetter) return true;
  if (hasLetter) return value.length >= 20 && /[a-z][A-Z]/.test(value) && /[A-Z][a-z]/.test(value);
  return value.length >= 16;
}

/** Returns whether a value is words, dates and small numbers with separators. */
function isSlug(value: string): boolean {
  const parts = value.replace(/\.(?:html?|php|aspx?|jsp|pdf)$/i, "").split(/[-_.+~]|%20/);
  return parts.every((part) =>
    /^(?:[a-z]{1,20}|[A-Z][a-z]{1,19}|[A-Z]{1,4}|\d{1,4}|v\d)$/.test(part),
  );
}
