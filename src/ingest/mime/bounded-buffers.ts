import { getHeapStatistics } from "node:v8";

/** Smaller arrays are not checked, because a document has many of them. Bytes. */
const largeBytes = 16_384;

/**
 * Runs work whose large byte arrays and unpacked streams may not exceed a limit together. A thread's heap limit does
 * not include them, and a library that unpacks streams has no limit of its own. An array beyond the limit fails with a
 * `RangeError`, as if memory were exhausted. Only for a thread with one job at a time.
 * @param maxBytes memory of this thread outside its heap
 */
export async function withBoundedBuffers<T>(maxBytes: number, work: () => Promise<T>): Promise<T> {
  const { Uint8Array: Bytes, DecompressionStream: Unpacking } = globalThis;
  const mustFit = (bytes: number): void => {
    if (getHeapStatistics().external_memory + bytes > maxBytes)
      throw new RangeError("Array buffer allocation failed");
  };

  const BoundedBytes: Uint8ArrayConstructor = new Proxy(Bytes, {
    construct: (target, args: unknown[], newTarget): object => {
      const [length] = args;
      if (typeof length === "number" && length >= largeBytes) mustFit(length);
      const made: unknown = Reflect.construct(
        target,
        args,
        newTarget === BoundedBytes ? target : newTarget,
      );
      return made as object;
    },
  });

  class BoundedUnpacking extends Unpacking {
    override readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;

    constructor(format: ConstructorParameters<typeof Unpacking>[0]) {
      super(format);
      this.readable = super.readable.pipeThrough(
        new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          transform: (piece, controller) => {
            mustFit(piece.length);
            controller.enqueue(piece);
          },
        }),
      );
    }
  }

  globalThis.Uint8Array = BoundedBytes;
  globalThis.DecompressionStream = BoundedUnpacking;
  try {
    return await work();
  } finally {
    globalThis.Uint8Array = Bytes;
    globalThis.DecompressionStream = Unpacking;
  }
}
