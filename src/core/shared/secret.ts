/** Node's hook for `util.inspect` and `console.log`. Its registered name avoids an import of `node:util`. */
const inspect = Symbol.for("nodejs.util.inspect.custom");

/** A string that is never printed. Readers call `reveal()`, which is easy to find in the code. */
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
