export interface Counts {
  stored: number;
  duplicate: number;
  failed: number;
}

export interface Progress {
  /** Records that this many more bytes have been processed. */
  advance(bytes: number, counts: Counts): void;
  /** Clears the line, so that other text can be printed. */
  clear(): void;
}

/** Characters of the bar. With the text after it a line stays below 80. */
const cells = 24;

/** Moves to the start of the line and clears it. */
const anew = "\r\u001B[K";

/**
 * Shows progress on one line: the counts, and a bar once the total size is known.
 * @param total bytes, once they are counted
 */
export function progressOn(
  out: { isTTY?: boolean; write(text: string): unknown },
  total: () => Promise<number>,
): Progress {
  if (!out.isTTY) return { advance: () => undefined, clear: () => undefined };
  let done = 0;
  let all = 0;
  // The bar is omitted if the total is unknown. The import itself reports the cause.
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
