/** Parameters whose value never opens an account. */
const plainNames =
  /^(?:utm_.*|mc_.*|ref|referrer|source|lang|locale|hl|redirect.*|return.*|next|url|continue|e-?mail|user(?:name)?|page|q|campaign.*|gclid|fbclid)$/i;

/** Parameters whose value is a token even when it has few characters. */
const shortTokenNames = /^(?:token|code|otp|key|pin)$/i;

/** The form of most numbers of orders and invoices. */
const numberOfOrder = /^[A-Z]{0,3}-?\d[\d-]{5,}$/;

/**
 * Returns whether a URL has a part that is not a word, and could be a short token.
 * @param isShown whether a number is also shown outside of links, as those of orders are
 */
export function hasToken(address: string, isShown: (part: string) => boolean): boolean {
  const rest = /^(?:[a-z+.-]+:\/\/)?[^/?#]*(.*)$/is.exec(address)?.[1] ?? "";
  return rest.split(/[/?&#;]/).some((part) => {
    const cut = part.indexOf("=");
    const name = cut > 0 ? part.slice(0, cut) : "";
    const value = cut > 0 ? part.slice(cut + 1) : part;
    if (plainNames.test(name)) return false;
    if (numberOfOrder.test(value) && isShown(value)) return false;
    if (shortTokenNames.test(name) && /^(?=.*\d)[\w-]{3,4}$/.test(value)) return true;
    if (value.length < 4) return false;
    if (value.length === 4)
      return /^(?=.*[A-Za-z])(?=.*\d)[A-Za-z0-9]{4}$|[a-z][A-Z]/.test(value) && !/^v\d/.test(value);
    if (/^\d+$/.test(value)) return value.length >= (name === "" ? 12 : 6);
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
