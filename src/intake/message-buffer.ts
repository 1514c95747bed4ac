/** Up to here a list of chunks is cheaper than the memory that a message may need at most. */
const largeBytes = 1_000_000;

/**
 * A message as it comes in. A large one is written to where it stays: joined at its end it would be there twice. Threads that
 * only read it share it. Memory that nothing was written to costs nothing.
 */
export function createMessageBuffer(maxBytes: number): {
  add(chunk: Uint8Array): void;
  /** What has come in so far, also of what is too large and was thrown away. */
  readonly bytes: number;
  /** Undefined where it is too large. */
  whole(): Uint8Array | undefined;
} {
  const chunks: Uint8Array[] = [];
  let large: Uint8Array | undefined;
  let bytes = 0;
  return {
    add: (chunk) => {
      const start = bytes;
      bytes += chunk.length;
      if (bytes > maxBytes) {
        chunks.length = 0;
        large = undefined;
      } else if (bytes <= largeBytes) {
        chunks.push(chunk);
      } else {
        if (large === undefined) {
          large = new Uint8Array(new SharedArrayBuffer(maxBytes));
          large.set(Buffer.concat(chunks.splice(0)));
        }
        large.set(chunk, start);
      }
    },
    get bytes() {
      return bytes;
    },
    whole: () => {
      if (bytes > maxBytes) return undefined;
      return large?.subarray(0, bytes) ?? Buffer.concat(chunks);
    },
  };
}
