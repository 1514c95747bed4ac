import type { Argument, Option } from "./options.ts";

export type Options = Readonly<Record<string, Option<unknown>>>;
export type Arguments = Readonly<Record<string, Argument<unknown>>>;

type Read<Declared> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Option<infer Value>
    ? Value
    : Declared[Name] extends Argument<infer Value>
      ? Value
      : never;
};

interface FormDeclaration<O extends Options, A extends Arguments> {
  /** The word after the command's name. A form without one is the command itself. */
  name?: string;
  help?: string;
  /** In the order of the command line. */
  arguments?: A;
  /** `envFile` is typed as `--env-file`. */
  options?: O;
  /** Options that may not be given together. */
  conflicts?: readonly (readonly [keyof O & string, keyof O & string])[];
  /** Options that require another one. */
  needs?: Readonly<Partial<Record<keyof O & string, keyof O & string>>>;
  /** Returns the exit code. */
  run: (options: Read<O>, args: Read<A>) => Promise<number> | number;
}

/** One form of a command, as `approvals deny ID`. */
export interface CommandForm {
  readonly name: string | undefined;
  readonly help: string | undefined;
  readonly arguments: Arguments;
  readonly options: Options;
  readonly conflicts: readonly (readonly [string, string])[];
  readonly needs: Readonly<Record<string, string | undefined>>;
  readonly run: (
    options: Readonly<Record<string, unknown>>,
    args: Readonly<Record<string, unknown>>,
  ) => Promise<number>;
}

export function form<
  O extends Options = Record<never, never>,
  A extends Arguments = Record<never, never>,
>({ name, help, run, ...declared }: FormDeclaration<O, A>): CommandForm {
  return {
    name,
    help,
    arguments: declared.arguments ?? {},
    options: declared.options ?? {},
    conflicts: declared.conflicts ?? [],
    needs: declared.needs ?? {},
    // Sound because the parser read both by this declaration.
    run: async (options, args) => await run(options as Read<O>, args as Read<A>),
  };
}

/** A command without its name and summary, which `commands.ts` has, because the overview loads no command. */
export interface Command {
  readonly about: string;
  readonly forms: readonly CommandForm[];
  /** The default form. */
  readonly initial?: string;
  /** The meaning of exit codes 0 and 1. Code 2 is always a wrong command line. */
  readonly exitCodes: Readonly<Record<number, string>>;
}

/** The exit code after Ctrl-C or Ctrl-D, as a shell reports an interrupted program. */
export const cancelledCode = 130;

/** The meaning of `cancelledCode`, for commands that ask questions. */
export const cancelledExit = { [cancelledCode]: "stopped by Ctrl-C, or by Ctrl-D at a question" };

const usualExitCodes = { 0: "done", 1: "failed, and the message says what was not done" };

/** Declares a command: its forms, arguments, options, help and exit codes. The parser and the help read only this. */
export function defineCommand(
  declared: Omit<Command, "exitCodes"> & { exitCodes?: Readonly<Record<number, string>> },
): Command {
  return { ...declared, exitCodes: { ...usualExitCodes, ...declared.exitCodes } };
}

/** Returns an option as a person types it: `--env-file` for `envFile`. */
export function optionLabel(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Returns an option with the name of its value: `--env-file PATH`. */
export function labelOf(name: string, { placeholder }: Option<unknown>): string {
  return placeholder === undefined ? optionLabel(name) : `${optionLabel(name)} ${placeholder}`;
}
