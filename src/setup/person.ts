import {
  type CANCEL_SYMBOL,
  isCancel,
  log,
  multiselect,
  password,
  select,
  text,
} from "@clack/prompts";
import type { Key } from "node:readline";

export interface Choice<Value> {
  value: Value;
  label: string;
}

/** The person cancelled (Ctrl-C, Escape, Ctrl-D, a closed terminal) instead of answering. */
export class PromptCancelled extends Error {
  override readonly name = "Left";
}

/** Returns the problem of an answer. Undefined accepts it. */
type Objection = (answer: string) => string | undefined;

/** A person at a terminal. Each question throws `PromptCancelled` if the person cancels. */
export interface Prompter {
  info(message: string): void;
  success(message: string): void;
  warn(message: string): void;
  /** Asks for any number of options, including none. */
  multiselect<Value>(message: string, options: readonly Choice<Value>[]): Promise<readonly Value[]>;
  chooseOne<Value>(
    message: string,
    options: readonly Choice<Value>[],
    initial?: Value,
  ): Promise<Value>;
  /** Asks for one line, without surrounding spaces. `initial` is the editable start. */
  write(message: string, initial: string, objection: Objection): Promise<string>;
  /** Asks for one line without showing it. */
  writeSecret(message: string, objection: Objection): Promise<string>;
}

/** Opens prompts on standard input and output, which must be a terminal, with @clack/prompts. */
export function personAtTerminal(): Prompter {
  // The library needs a size, and a serial line has none.
  process.stdout.columns ||= 80;
  process.stdout.rows ||= 24;
  const gone = goneSignal();
  const validated = (objection: Objection) => ({
    validate: (answer: string | undefined) => objection((answer ?? "").trim()),
    signal: gone,
  });
  // Options are passed to the library by position, because its types accept only plain values.
  const places = (options: readonly { label: string }[]) =>
    options.map(({ label }, value) => ({ value, label }));
  return {
    info: (message) => log.message(message),
    success: (message) => log.success(message),
    warn: (message) => log.warn(message),
    multiselect: async (message, options) => {
      const chosen = answered(
        await multiselect({ message, options: places(options), required: false, signal: gone }),
      );
      return options.filter((_, place) => chosen.includes(place)).map(({ value }) => value);
    },
    chooseOne: async (message, options, initial) => {
      const initialValue = options.findIndex(({ value }) => value === initial);
      const place = answered(
        await select({
          message,
          options: places(options),
          signal: gone,
          ...(initialValue >= 0 && { initialValue }),
        }),
      );
      const chosen = options[place];
      if (chosen === undefined) throw new PromptCancelled();
      return chosen.value;
    },
    write: async (message, initialValue, objection) =>
      trimmed(await text({ message, initialValue, ...validated(objection) })),
    writeSecret: async (message, objection) =>
      trimmed(await password({ message, ...validated(objection) })),
  };
}

function answered<Value>(answer: Value | typeof CANCEL_SYMBOL): Value {
  if (isCancel(answer)) throw new PromptCancelled();
  return answer;
}

/** Trims an answer. The library returns undefined for an empty line. */
function trimmed(answer: string | typeof CANCEL_SYMBOL | undefined): string {
  return (answered(answer) ?? "").trim();
}

/**
 * Returns a signal for the end of input. Ctrl-D closes the library's reader, and the question would otherwise stay
 * open.
 */
function goneSignal(): AbortSignal {
  const gone = new AbortController();
  process.stdin.once("end", () => gone.abort());
  process.stdin.on("keypress", (_text: string | undefined, { ctrl, name }: Key) => {
    if (ctrl === true && name === "d") gone.abort();
  });
  return gone.signal;
}
