/** Up to this size a list of chunks is cheaper than reserving the maximum. Bytes. */
const largeBytes = 1_000_000;

/** The memory that large messages of all senders share. */
export interface MemoryBudget {
  /** Reserves bytes. Returns false if too few are left. */
  take(bytes: number): boolean;
  release(bytes: number): void;
}

export function createMemoryBudget(bytes: number): MemoryBudget {
  let left = bytes;
  return {
    take: (wanted) => {
      if (wanted > left) return false;
      left -= wanted;
      return true;
    },
    release: (given) => void (left += given),
  };
}

/** A buffer for an arriving message. */
export interface MessageBuffer {
  add(chunk: Uint8Array): void;
  /** Bytes received so far, including discarded ones. */
  readonly bytes: number;
  /** The reason for discarding: the message is too large, or the shared memory is used up. */
  readonly discarded: "too large" | "no memory" | undefined;
  /** Returns the message. Undefined if it was discarded. */
  whole(): Uint8Array | undefined;
  /** Releases the shared memory. No chunk may follow. */
  release(): void;
}

/**
 * Creates a buffer for one message. A large message is written directly to its final buffer, because joining chunks
 * would need the memory twice. Reader threads share that buffer. The operating system provides memory only when it is
 * written.
 */
export function createMessageBuffer(maxBytes: number, budget?: MemoryBudget): MessageBuffer {
  const chunks: Uint8Array[] = [];
  let large: Uint8Array | undefined;
  let bytes = 0;
  let taken = 0;
  let discarded: MessageBuffer["discarded"];
  const release = (): void => {
    budget?.release(taken);
    taken = 0;
  };
  const discard = (why: "too large" | "no memory"): void => {
    discarded = why;
    chunks.length = 0;
    large = undefined;
    release();
  };
  return {
    add: (chunk) => {
      const start = bytes;
      bytes += chunk.length;
      if (bytes > maxBytes) return discard("too large");
      if (discarded !== undefined) return;
      if (bytes <= largeBytes) return void chunks.push(chunk);
      if (budget?.take(bytes - taken) === false) return discard("no memory");
      taken = bytes;
      if (large === undefined) {
        large = new Uint8Array(new SharedArrayBuffer(maxBytes));
        large.set(Buffer.concat(chunks.splice(0)));
      }
      large.set(chunk, start);
    },
    get bytes() {
      return bytes;
    },
    get discarded() {
      return discarded;
    },
    whole: () => {
      if (discarded !== undefined) return undefined;
      return large?.subarray(0, bytes) ?? Buffer.concat(chunks);
    },
    release,
  };
}
