import { z } from "zod";
import { comparableAddress } from "../core/shared/text/mail-address.ts";
import { Secret } from "../core/shared/secret.ts";
import { ianaZone } from "../core/shared/time-zone.ts";
import { readNetworks } from "./networks.ts";

/** One setting: how its text is parsed, and its documentation. */
export interface Setting<T> {
  /**
   * The valid values, such as "a port number". Used as the type in the documentation, and in the error "must be ...".
   */
  expected: string;
  description: string;
  /** The default, as a person would write it. */
  default?: string;
  /** The documented default, if it depends on other values. */
  defaultText?: string;
  schema: z.ZodType<T, string>;
  /** True if the value is hidden while it is typed and in all output. */
  isSecret?: boolean;
  /** All valid values, if there are few. */
  choices?: readonly string[];
}

type Kind<T> = Pick<Setting<T>, "expected" | "schema" | "isSecret" | "choices">;

export function setting<T>(kind: Kind<T>, description: string, defaultValue: string): Setting<T>;
export function setting<T>(
  kind: Kind<T>,
  description: string,
  defaultValue?: undefined,
  defaultText?: string,
): Setting<T | undefined>;
export function setting<T>(
  kind: Kind<T>,
  description: string,
  defaultValue?: string,
  defaultText?: string,
): Setting<T | undefined> {
  return {
    ...kind,
    description,
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    ...(defaultText === undefined ? {} : { defaultText }),
  };
}

/** Creates a kind of setting. `expected` is used in the documentation and in the error. */
function checked<T>(expected: string, read: (text: string) => T | undefined): Kind<T> {
  return {
    expected,
    schema: z.string().transform((text, context) => {
      const value = read(text);
      if (value === undefined) {
        context.addIssue({ code: "custom", message: `must be ${expected}` });
        return z.NEVER;
      }
      return value;
    }),
  };
}

export const text: Kind<string> = { expected: "text", schema: z.string() };

export const secret: Kind<Secret> = {
  expected: "a secret",
  isSecret: true,
  schema: z.string().transform((value) => new Secret(value)),
};

/** Counts the characters that a person sees. One may have many code points, and some code points are invisible. */
function characters(secret: string): number {
  // Most secrets are random ASCII. Loading the segmenter takes as long as reading all other settings.
  if (/^[ -~]*$/.test(secret)) return secret.replaceAll(" ", "").length;
  const signs = Array.from(new Intl.Segmenter().segment(secret), ({ segment }) => segment);
  return signs.filter((sign) => /(?!\p{DI})[\p{L}\p{N}\p{P}\p{S}]/u.test(sign)).length;
}

export function token(minLength: number): Kind<Secret> {
  const kind = checked(`a secret of at least ${minLength} characters`, (value) =>
    characters(value) >= minLength ? new Secret(value) : undefined,
  );
  return { ...kind, isSecret: true };
}

/** Minutes from midnight. */
export const timeOfDay: Kind<number> = checked("a time such as `07:00`", (value) => {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(value) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
});

export const flag: Kind<boolean> = {
  ...checked("`true` or `false`", (value) =>
    value === "true" ? true : value === "false" ? false : undefined,
  ),
  choices: ["true", "false"],
};

export function oneOf<const T extends string>(...values: T[]): Kind<T> {
  const what = values.map((value) => `\`${value}\``).join(" or ");
  const kind = checked(what, (given) => values.find((value) => value === given));
  return { ...kind, choices: values };
}

/** Creates an integer setting. Both bounds always apply, so no value switches a limit off. */
export function integer(min: number, max: number): Kind<number> {
  return checked(`a whole number from ${min} to ${max}`, (value) => {
    const number = /^\d{1,12}$/.test(value) ? Number(value) : NaN;
    return number >= min && number <= max ? number : undefined;
  });
}

export const port = integer(0, 65_535);

function readUrl(value: string, protocols: string[]): string | undefined {
  if (!URL.canParse(value)) return undefined;
  const url = new URL(value);
  // A URL is printed in several places, so it must not contain a password. There are separate settings for passwords.
  if (!protocols.includes(url.protocol) || url.username !== "" || url.password !== "")
    return undefined;
  return value.replace(/\/+$/, "");
}

export const httpUrl = checked("an http or https URL without a user name or password", (value) =>
  readUrl(value, ["http:", "https:"]),
);

export const httpsUrl = checked("an https URL without a user name or password", (value) =>
  readUrl(value, ["https:"]),
);

export const databaseUrl = checked(
  "`file:PATH`, or a libsql, http(s) or ws(s) URL without a token in it",
  (value) => {
    if (/^file:[^~?#][^?#]*(?<!\/)$/.test(value)) return value;
    if (/authToken/i.test(value)) return undefined;
    // Only libsql: permits an address without a host.
    if (/^libsql:\/*$/i.test(value)) return undefined;
    return readUrl(value, ["libsql:", "http:", "https:", "ws:", "wss:"]);
  },
);

export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || path.startsWith("\\\\") || /^[A-Za-z]:[\\/]/.test(path);
}

/** A shell expands `~`, but a client's JSON file does not, and a directory called `~` is never intended. */
export const path = checked("a path, absolute or relative to the data directory", (value) =>
  value.startsWith("~") ? undefined : value,
);

export const fullPath = checked("an absolute path", (value) =>
  isAbsolute(value) ? value : undefined,
);

export const keyPrefix = checked(
  "a key prefix of `A-Z a-z 0-9 . _ - /`, without a leading slash",
  (value) =>
    /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*\/?$/.test(value) && !/(^|\/)\.\.?(\/|$)/.test(value)
      ? value.replace(/\/?$/, "/")
      : undefined,
);

export function listOf<T>(expected: string, read: (item: string) => T | undefined): Kind<T[]> {
  return checked(`${expected}, separated by commas`, (value) => {
    const items = value.split(",").map((item) => read(item.trim()));
    return items.every((item) => item !== undefined) ? items : undefined;
  });
}

const isAddress = (item: string): boolean => /^[^\s@<>,"]+@[^\s@<>,"]+$/.test(item);

export const addresses = listOf("mail addresses", (item) =>
  isAddress(item) ? comparableAddress(item) : undefined,
);

export const addressesOrDomains = listOf(
  "mail addresses, or `@domain` for a whole domain",
  (item) => (isAddress(item) || /^@[^\s@<>,"]+$/.test(item) ? comparableAddress(item) : undefined),
);

export interface NamedSecret {
  name: string;
  secret: Secret;
}

/**
 * Creates a setting in the form `name:secret,...`. A secret may contain colons but no commas. Errors name a person,
 * never a value.
 */
export function namedSecrets(minLength: number): Kind<NamedSecret[]> {
  const expected = `\`name:secret\` pairs, separated by commas; a secret has at least ${minLength} characters`;
  return {
    expected,
    isSecret: true,
    schema: z.string().transform((value, context) => {
      const pairs = value
        .split(",")
        .map((item) => /^\s*([a-z0-9][a-z0-9._-]*):(\S+)\s*$/.exec(item));
      const named = pairs.map((pair) => ({ name: pair?.[1] ?? "", value: pair?.[2] ?? "" }));
      const fail = (message: string): void => context.addIssue({ code: "custom", message });
      if (named.some(({ name }) => name === "")) fail(`must be ${expected}`);
      for (const [index, { name, value: own }] of named.entries()) {
        if (name === "") continue;
        if (characters(own) < minLength)
          fail(`needs a secret of at least ${minLength} characters for "${name}"`);
        if (named.findIndex((other) => other.name === name) < index) fail(`names "${name}" twice`);
        if (named.findIndex((other) => other.value === own) < index)
          fail(`gives "${name}" a secret that another name has`);
      }
      return named.map((pair) => ({ name: pair.name, secret: new Secret(pair.value) }));
    }),
  };
}

export const hostName = checked("a host name", (value) =>
  /^[A-Za-z0-9._-]{1,255}$/.test(value) ? value.toLowerCase() : undefined,
);

export const networks = checked(
  "IP addresses or ranges such as `10.1.2.0/24` (`/8` at the widest), separated by commas",
  readNetworks,
);

export const timeZone = checked(
  "an IANA name of a time zone, like `Europe/Berlin`",
  (value) => ianaZone(value)?.name,
);

const dnsServer =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]+|\[[0-9A-Fa-f:.]+\](?::\d{1,5})?)$/;

/** `off`, `system`, or server addresses. */
export const dnsServers = checked(
  "`system`, `off`, or addresses of DNS servers, separated by commas",
  (value) => {
    if (value === "system" || value === "off") return value;
    const servers = value.split(",").map((item) => item.trim());
    return servers.every((server) => dnsServer.test(server)) ? servers : undefined;
  },
);

/** `ID` or `name:ID`: the approver name of a Telegram user. */
export const telegramApprovers = listOf("Telegram user ids or `name:id`", (item) => {
  const [, name = "operator", userId] = /^(?:([a-z0-9][a-z0-9._-]*):)?(\d{1,16})$/.exec(item) ?? [];
  return userId === undefined ? undefined : { userId, name };
});
