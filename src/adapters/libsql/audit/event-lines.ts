/**
 * Queued lines as bytes. As strings they would be scanned and copied by the garbage collector while they wait, at a
 * higher cost than the rest of the audit log.
 */
export interface EventLines {
  readonly count: number;
  /** Adds a line. Returns false, without adding it, if the buffer is full. */
  add(line: string): boolean;
  /** Returns the lines, separated by line ends. */
  text(): string;
}

/**
 * Creates a buffer.
 * @param first always fits
 * @param bytes buffer size for it and others
 */
export function createEventLines(first: string, bytes: number): EventLines {
  const buffer = Buffer.allocUnsafeSlow(Math.max(bytes, mostBytes(first)));
  let used = buffer.write(first);
  let count = 1;
  return {
    get count() {
      return count;
    },
    add: (line) => {
      if (used + mostBytes(line) > buffer.length) return false;
      used += buffer.write("\n", used);
      used += buffer.write(line, used);
      count += 1;
      return true;
    },
    text: () => buffer.toString("utf8", 0, used),
  };
}

/** Returns the largest size of a line. UTF-8 takes at most three bytes per UTF-16 unit, and the line end takes one. */
function mostBytes(line: string): number {
  return line.length * 3 + 1;
}
