/**
 * Queued lines as bytes. The garbage collector would scan and copy strings while they wait, which costs more than the
 * rest of the audit record.
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
 * @param first the first line, which always fits
 * @param bytes the size of the buffer, for this line and the later ones
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
