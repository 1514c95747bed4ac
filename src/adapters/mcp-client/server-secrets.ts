import type { ServerTarget } from "../../ports/upstream/upstream-server.ts";

/** Names of variables and headers whose values are secrets. */
const secretName =
  /token|secret|passw|passphrase|pwd|credential|cookie|auth(?!or(?!i))|(?:api|access|private)[_-]?key|(?:^|[_-])key$/i;
/** A name that says what the value is, such as `TOKEN_URL` or `KEY_FILE`. */
const otherName = /[_-](?:url|uri|file|path|dir|name|id|type|limit|ttl|host|port|user|sock)$/i;
/** A path or an address is not a secret, and people need it in an error. */
const place = /^(?:[./~]|[A-Za-z]:\\|[a-z][a-z0-9+.-]*:\/\/)/;
/** A shorter value could be a part of any text. Characters. */
const leastCharacters = 8;

const mark = "[hidden: a secret of this server]";

/**
 * Returns the function that hides the secrets of a server's entry in `servers.json` in a text. A server may write them
 * into its errors, and errors are shown and logged.
 */
export function secretHider(target: ServerTarget): (text: string) => string {
  const isHttp = target.kind === "http";
  const secrets = Object.entries(isHttp ? target.headers : target.env).flatMap(([name, value]) => {
    const isSecret = secretName.test(name) && !otherName.test(name) && !place.test(value);
    // `Bearer` and the other schemes stay (RFC 9110 section 11.4).
    const own = isHttp ? value.replace(/^[A-Za-z]+ +/, "") : value;
    return [...passwordIn(value), ...(isSecret ? [own] : [])];
  });
  const hidden = secrets.filter((secret) => secret.length >= leastCharacters);
  return (text) => hidden.reduce((shown, secret) => shown.replaceAll(secret, mark), text);
}

/** Returns the password of an address, as it is written and decoded. */
function passwordIn(value: string): string[] {
  if (!URL.canParse(value)) return [];
  const { password } = new URL(value);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
