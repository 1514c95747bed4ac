/**
 * Lines of text that wait, as bytes: the collector of garbage would look at each text, and copy it twice, while it waits for
 * a twentieth of a second, which cost a call more than all else that the audit log does with it.
 */
export interface EventLines {
  readonly count: number;
  /** False where there is no room left: then nothing was added. */
  add(line: string): boolean;
  /** With a line end between each two. */
  text(): string;
}

/**
 * @param first has room in any case
 * @param bytes room for others, too
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

/** UTF-8 takes at most three bytes for each unit of a text, and the line end takes one. */
function mostBytes(line: string): number {
  return line.length * 3 + 1;
}
