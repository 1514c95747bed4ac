type Piece = string | ArrayBuffer | ArrayBufferView;

/**
 * The part of Blob that postal-mime uses to join the lines of each part. Node's own Blob keeps a second copy outside of
 * the heap and reads it through the thread pool, which costs more than parsing a small message.
 */
class JoinedBytes {
  readonly #pieces: readonly Uint8Array[];

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces.map(bytesOf);
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    const whole = new Uint8Array(this.#pieces.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return Promise.resolve(whole.buffer);
  }
}

function bytesOf(piece: Piece): Uint8Array {
  if (typeof piece === "string") return Buffer.from(piece);
  if (piece instanceof ArrayBuffer) return new Uint8Array(piece);
  return new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
}

/** Replaces the global Blob. Only for a thread that does nothing but parse mail. */
export function joinBytesWithoutBlobs(): void {
  Object.defineProperty(globalThis, "Blob", { value: JoinedBytes });
}
