/** Node's hook for `util.inspect` and `console.log`, by its registered name, so that core needs no `node:util`. */
const inspect = Symbol.for("nodejs.util.inspect.custom");

/** A string that must not be printed. Whoever needs it says so with `reveal()`, which is easy to find. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return "[secret]";
  }

  toJSON(): string {
    return "[secret]";
  }

  [inspect](): string {
    return "[secret]";
  }
}
