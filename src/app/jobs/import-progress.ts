export interface Counts {
  stored: number;
  duplicate: number;
  failed: number;
}

export interface Progress {
  /** This much more of what is to be read is done. */
  advance(bytes: number, counts: Counts): void;
  /** Makes room for a line of text. */
  clear(): void;
}

/** Characters of the bar; with the words behind it a line stays below 80. */
const cells = 24;

/** Back to the beginning of the line, and that line empty. */
const anew = "\r\u001B[K";

/**
 * One line that is written over, for whoever watches: a bar as soon as it is known how much there is, and the counts.
 * @param total bytes, when they have been counted
 */
export function progressOn(
  out: { isTTY?: boolean; write(text: string): unknown },
  total: () => Promise<number>,
): Progress {
  if (!out.isTTY) return { advance: () => undefined, clear: () => undefined };
  let done = 0;
  let all = 0;
  // Where it cannot be counted there is no bar; the import itself tells why.
  void total().then(
    (bytes) => (all = bytes),
    () => undefined,
  );
  return {
    advance: (bytes, { stored, duplicate, failed }) => {
      done += bytes;
      const count = stored + duplicate + failed;
      const words = `${count} ${count === 1 ? "message" : "messages"}, ${failed} failed`;
      out.write(`${anew}${all === 0 ? "" : `${bar(Math.min(1, done / all))}  `}${words}`);
    },
    clear: () => out.write(anew),
  };
}

function bar(share: number): string {
  const full = Math.floor(share * cells);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `[${"#".repeat(full)}${"-".repeat(cells - full)}] ${percent} %`;
}
