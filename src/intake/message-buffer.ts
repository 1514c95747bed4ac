/** Up to here a list of chunks is cheaper than the memory that a message may need at most. */
const largeBytes = 1_000_000;

/** Memory that the large messages of many senders share. */
export interface MemoryBudget {
  /** False where so much is not left. Bytes. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
}

export function createMemoryBudget(bytes: number): MemoryBudget {
  let left = bytes;
  return {
    take: (wanted) => {
      if (wanted > left) return false;
      left -= wanted;
      return true;
    },
    giveBack: (given) => void (left += given),
  };
}

/** A message as it comes in. */
export interface MessageBuffer {
  add(chunk: Uint8Array): void;
  /** What has come in so far, also of what was thrown away. */
  readonly bytes: number;
  /** Why there is nothing: it is too large, or there was no room for it. */
  readonly thrownAway: "too large" | "no room" | undefined;
  /** Undefined where it was thrown away. */
  whole(): Uint8Array | undefined;
  /** Gives back what it took of the room; nothing is added afterwards. */
  release(): void;
}

/**
 * A large message is written to where it stays: joined at its end it would be there twice. Threads that only read it share it.
 * Memory that nothing was written to costs nothing.
 */
export function createMessageBuffer(maxBytes: number, room?: MemoryBudget): MessageBuffer {
  const chunks: Uint8Array[] = [];
  let large: Uint8Array | undefined;
  let bytes = 0;
  let taken = 0;
  let thrownAway: MessageBuffer["thrownAway"];
  const release = (): void => {
    room?.giveBack(taken);
    taken = 0;
  };
  const throwAway = (why: "too large" | "no room"): void => {
    thrownAway = why;
    chunks.length = 0;
    large = undefined;
    release();
  };
  return {
    add: (chunk) => {
      const start = bytes;
      bytes += chunk.length;
      if (bytes > maxBytes) return throwAway("too large");
      if (thrownAway !== undefined) return;
      if (bytes <= largeBytes) return void chunks.push(chunk);
      if (room?.take(bytes - taken) === false) return throwAway("no room");
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
    get thrownAway() {
      return thrownAway;
    },
    whole: () => {
      if (thrownAway !== undefined) return undefined;
      return large?.subarray(0, bytes) ?? Buffer.concat(chunks);
    },
    release,
  };
}
