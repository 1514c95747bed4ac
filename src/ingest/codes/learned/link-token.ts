import { signInPaths } from "../link-words.ts";

/** Parameters whose value never opens an account. */
const plainNames =
  /^(?:utm_.*|mc_.*|ref|referrer|source|lang|locale|hl|redirect.*|return.*|next|url|continue|e-?mail|user(?:name)?|page|q|campaign.*|gclid|fbclid|msclkid|igshid|mibextid|spm|icid|lkid|mid(?:sig|token)|(?:mkt|mtm|pk|wt|vero|ml|hsa|sc|oly)_\w+|_hs\w+|elq\w*|\w*(?:trk|track|tracking)(?:_?(?:id|info|code))?)$/i;

/** Parameters with the address of the page that is shown after a sign-in. */
const pageNames = /^(?:continue|next|return.*)$/i;

/** A place in a page, such as that of a comment. */
const anchor =
  /#[a-z]*(?:comment|post|note|answer|message|discussion|section|reply)[-_]?\w{1,24}$/i;

/** A time in milliseconds, from 2017 to 2033. */
const time = /^1[5-9]\d{11}$/;

/** Parameters whose value is a token even when it has few characters, or parts like those of a name. */
const tokenNames = /^(?:token|code|otp|key|pin|guid)$/i;
const shortToken = /^(?=.*\d)(?:[\w-]{3,4}|(?=.*[A-Za-z])[\w-]{5,})$/;

/** Groups of capitals, as exchanges send them: `QXRTN-LLWOP-ZNCVEB`. */
const capitalGroups = /^[A-Z]{4,8}(?:-[A-Z]{4,8}){1,5}$/;

/** The form of most numbers of orders and invoices. */
const numberOfOrder = /^[A-Z]{0,3}-?\d[\d-]{5,}$/;

/** Splits a part of a URL into the name of a parameter and its value. Signs at the end fill up Base64. */
export function namedPart(part: string): { name: string; value: string } {
  let filled = part.length;
  while (part[filled - 1] === "=") filled -= 1;
  const cut = part.indexOf("=");
  return cut > 0 && cut < filled
    ? { name: part.slice(0, cut), value: part.slice(cut + 1) }
    : { name: "", value: part.slice(0, filled) };
}

/**
 * Returns whether a URL has a part that is not a word, and could be a short token.
 * @param isShown whether a number is also shown outside of links, as those of orders are
 */
export function hasToken(address: string, isShown: (part: string) => boolean): boolean {
  const whole = /^(?:[a-z+.-]+:\/\/)?[^/?#]*(.*)$/is.exec(address)?.[1] ?? "";
  const rest = whole.replace(anchor, "");
  const small = rest.toLowerCase();
  let isPage = false;
  return rest.split(/[/?&#;]/).some((part) => {
    const { name, value } = namedPart(part);
    if (name !== "") isPage = pageNames.test(name) && /^https?:$/i.test(value);
    else if (part.endsWith("=")) isPage = pageNames.test(value);
    if (isPage || plainNames.test(name) || (name === "" && time.test(value))) return false;
    if (numberOfOrder.test(value) && isShown(value)) return false;
    if (tokenNames.test(name) && (shortToken.test(value) || capitalGroups.test(value))) return true;
    if (value.length < 4) return false;
    if (value.length === 4)
      return /^(?=.*[A-Za-z])(?=.*\d)[A-Za-z0-9]{4}$|[a-z][A-Z]/.test(value) && !/^v\d/.test(value);
    if (/^\d+$/.test(value))
      return name === "" ? value.length >= 12 : value.length >= 6 && signInPaths.test(small);
    const isWords = value
      .split(/[-_.+~]|%20/)
      .every((word) =>
        /^(?:[a-z]{1,20}|[A-Z][a-z]{1,19}|[A-Z]{1,4}|\d{1,4}|v\d|[a-z]{3,20}\d{1,3}|\d[a-z]{1,4}|[A-Z]?[a-z]{3,19}(?:[A-Z][a-z]{3,19})+)$/.test(
          word,
        ),
      );
    return !isWords && (/\d/.test(value) || value.length > 24 || /[a-z][A-Z]/.test(value));
  });
}
