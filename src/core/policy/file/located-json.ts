/** A place in a text, for error messages. Lines and columns count from 1. */
export interface SourcePosition {
  line: number;
  column: number;
}

/** A fault at one place in the text. */
export class LocatedFault extends Error {
  override readonly name = "LocatedFault";
  readonly place: SourcePosition;

  constructor(message: string, place: SourcePosition) {
    super(message);
    this.place = place;
  }
}

type Path = readonly PropertyKey[];

export interface LocatedJson {
  value: unknown;
  has(path: Path): boolean;
  /** Start of the value with this path, or of the nearest value around it. */
  placeOf(path: Path): SourcePosition;
}

/** Deeper than any policy. Unlimited nesting would exhaust the stack. */
const deepest = 20;

/**
 * Parses JSON and records the place of each value. Unlike JSON.parse it refuses duplicate fields, because one of them
 * would be ignored.
 * @throws LocatedFault
 */
export function parseLocatedJson(text: string): LocatedJson {
  const offsets = new Map<string, number>();
  const space = /[ \t\n\r]*/y;
  // Deliberately permissive inside strings, because JSON.parse checks them later with a better message.
  const literal =
    /"(?:[^"\\\n\r]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
  let at = 0;

  function place(offset: number): SourcePosition {
    const before = text.slice(0, offset).split("\n");
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }

  function fault(message: string, offset = at): LocatedFault {
    return new LocatedFault(message, place(offset));
  }

  function skip(): string {
    space.lastIndex = at;
    space.test(text);
    at = Math.max(at, space.lastIndex);
    return text.charAt(at);
  }

  function expect(character: string): void {
    if (skip() !== character) throw fault(`expected ${character} here, found ${found()}`);
    at += 1;
  }

  function found(): string {
    return at >= text.length ? "the end of the file" : JSON.stringify(text.charAt(at));
  }

  function scalar(): unknown {
    literal.lastIndex = at;
    const read = literal.exec(text)?.[0];
    if (read === undefined) throw fault(`expected a value here, found ${found()}`);
    let value: unknown;
    try {
      value = JSON.parse(read);
    } catch {
      throw fault("this text contains characters that JSON does not allow");
    }
    at += read.length;
    return value;
  }

  function value(path: Path): unknown {
    const first = skip();
    offsets.set(keyOf(path), at);
    if (path.length > deepest) throw fault("nested too deeply");
    if (first === "{") return object(path);
    return first === "[" ? list(path) : scalar();
  }

  function object(path: Path): unknown {
    const fields = new Map<string, unknown>();
    at += 1;
    for (let more = skip() !== "}"; more; more = next("}")) {
      skip();
      const start = at;
      const name = skip() === '"' ? scalar() : undefined;
      if (typeof name !== "string") throw fault(`expected a name in quotes here, found ${found()}`);
      if (fields.has(name))
        throw fault(`${JSON.stringify(name)} appears here a second time`, start);
      expect(":");
      fields.set(name, value([...path, name]));
    }
    expect("}");
    return Object.fromEntries(fields);
  }

  function list(path: Path): unknown {
    const items: unknown[] = [];
    at += 1;
    for (let more = skip() !== "]"; more; more = next("]"))
      items.push(value([...path, items.length]));
    expect("]");
    return items;
  }

  /** Returns whether another item follows. */
  function next(end: string): boolean {
    if (skip() === end) return false;
    expect(",");
    if (skip() === end) throw fault(`a comma must not precede ${end}`);
    return true;
  }

  const read = value([]);
  if (skip() !== "") throw fault(`expected the end of the file here, found ${found()}`);
  return {
    value: read,
    has: (path) => offsets.has(keyOf(path)),
    placeOf: (path) => {
      for (let length = path.length; length > 0; length -= 1) {
        const offset = offsets.get(keyOf(path.slice(0, length)));
        if (offset !== undefined) return place(offset);
      }
      return place(offsets.get(keyOf([])) ?? 0);
    },
  };
}

function keyOf(path: Path): string {
  return JSON.stringify(path.map(String));
}
