import { dayOrTime } from "../../core/shared/day-or-time.ts";

/** An invalid command line. The message is one sentence for the person who typed it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** The command that prints help, without the program's name: `mail --help`. */
  readonly run: string | undefined;

  constructor(message: string, { run }: { run?: string | undefined } = {}) {
    super(message);
    this.run = run;
  }
}

/** One option of a command. `Value` is the type that the command receives. */
export interface Option<Value> {
  /** Name of the value in the help, as `PATH`. Absent for a flag. */
  readonly placeholder?: string;
  readonly help: string;
  readonly isRequired?: boolean;
  readonly isRepeated?: boolean;
  /**
   * Parses all values given for the option.
   * @throws UsageError
   */
  readonly read: (given: readonly string[], label: string) => Value;
}

export function flag(help: string): Option<boolean> {
  return { help, read: (given) => given.length > 0 };
}

export function text(placeholder: string, help: string): Option<string | undefined> {
  return { placeholder, help, read: (given) => given.at(-1) };
}

export function textOr(initial: string, placeholder: string, help: string): Option<string> {
  return { placeholder, help, read: (given) => given.at(-1) ?? initial };
}

/** Declares a flag without which the command refuses to run. */
export function requiredFlag(help: string): Option<boolean> {
  return { ...flag(help), isRequired: true };
}

/** Declares an option that must be given. */
export function requiredText(placeholder: string, help: string): Option<string> {
  return { ...textOr("", placeholder, help), isRequired: true };
}

/** Declares an option with an address of a server. */
export function httpUrl(help: string): Option<string | undefined> {
  return {
    placeholder: "URL",
    help,
    read: (given, label) => {
      const last = given.at(-1);
      if (last === undefined) return undefined;
      const url = URL.canParse(last) ? new URL(last) : undefined;
      if (url === undefined || !/^https?:$/.test(url.protocol))
        throw new UsageError(`${label} must be an http or https URL, not ${last}.`);
      // A client's file would contain the secret.
      if (url.username !== "" || url.password !== "")
        throw new UsageError(`${label} must be a URL without a user name or password.`);
      return last;
    },
  };
}

/** Declares an option with a day or a time. */
export function time(help: string): Option<Date | undefined> {
  return {
    placeholder: "TIME",
    help,
    read: (given, label) => {
      const last = given.at(-1);
      const read = last === undefined ? undefined : dayOrTime(last);
      if (last === undefined || read !== undefined) return read;
      throw new UsageError(
        `${label} must be a day or a time, such as 2026-11-22 or 2026-11-22T10:00Z, not "${last}".`,
      );
    },
  };
}

/** Declares an option that may be repeated. */
export function texts(placeholder: string, help: string): Option<readonly string[]> {
  return { placeholder, help, isRepeated: true, read: (given) => given };
}

/** Declares an option with a whole number of at least 1. */
export function count(
  { initial, most }: { initial: number; most: number },
  help: string,
): Option<number> {
  return {
    placeholder: "N",
    help: `${help} (${initial}; at most ${most})`,
    read: (given, label) => {
      const last = given.at(-1);
      if (last === undefined) return initial;
      if (/^[1-9]\d{0,8}$/.test(last) && Number(last) <= most) return Number(last);
      throw new UsageError(`${label} must be a whole number from 1 to ${most}, not "${last}".`);
    },
  };
}

/** Declares a required option with one of these words. */
export function choice<const Word extends string>(
  placeholder: string,
  words: readonly Word[],
  help: string,
): Option<Word> {
  return {
    placeholder,
    help: `one of ${words.join(", ")}: ${help}`,
    isRequired: true,
    read: (given, label) => {
      const last = given.at(-1);
      const word = words.find((one) => one === last);
      if (word !== undefined) return word;
      const wrong = last === undefined ? "" : `, not "${last}"`;
      throw new UsageError(`${label} must be one of ${words.join(", ")}${wrong}.`);
    },
  };
}

/** Declares an optional option with one of these words. */
export function oneOf<const Word extends string>(
  placeholder: string,
  words: readonly Word[],
  help: string,
): Option<Word | undefined> {
  const { read, isRequired: _, ...same } = choice(placeholder, words, help);
  return { ...same, read: (given, label) => (given.length === 0 ? undefined : read(given, label)) };
}

/** One argument of a command, by position. */
export interface Argument<Value> {
  readonly name: string;
  /** The argument in the help: `ID`, `[FILE]`, `PATH...`. */
  readonly label: string;
  /** A line in the help, if the name alone is unclear. */
  readonly help?: string;
  readonly least: number;
  readonly most: number;
  readonly read: (given: readonly string[]) => Value;
}

export function required(name: string): Argument<string> {
  return { name, label: name, least: 1, most: 1, read: ([given = ""]) => given };
}

/** Declares a required argument that is one of these words. */
export function requiredWord(name: string, words: readonly string[]): Argument<string> {
  return {
    name,
    label: name,
    help: `one of ${words.join(", ")}`,
    least: 1,
    most: 1,
    read: ([given = ""]) => {
      if (words.includes(given)) return given;
      throw new UsageError(`${name} must be one of ${words.join(", ")}, not "${given}".`);
    },
  };
}

export function optional(name: string): Argument<string | undefined> {
  return { name, label: `[${name}]`, least: 0, most: 1, read: ([given]) => given };
}

/** Declares any number of these words. Must be the last argument. */
export function choices(name: string, words: readonly string[]): Argument<readonly string[]> {
  return {
    name,
    label: `[${name}...]`,
    help: `one or more of ${words.join(", ")}`,
    least: 0,
    most: Infinity,
    read: (given) => {
      const unknown = given.find((word) => !words.includes(word));
      if (unknown === undefined) return given;
      throw new UsageError(`${name} must be one of ${words.join(", ")}, not "${unknown}".`);
    },
  };
}

/** Declares one or more texts. Must be the last argument. */
export function oneOrMore(name: string): Argument<readonly string[]> {
  return { name, label: `${name}...`, least: 1, most: Infinity, read: (given) => given };
}

/** Declares all further words, if any, as arguments. Must be the last argument. */
export function rest(name: string, help: string): Argument<readonly string[]> {
  return { name, label: `[${name}...]`, help, least: 0, most: Infinity, read: (given) => given };
}

export const envFile = text(
  "PATH",
  "read the settings from this file instead of .env in the data directory",
);

export const json = flag("print one JSON object per line");

export const secretStdin = flag(
  "read an approver's secret (see APPROVERS) from standard input, for scripts",
);
