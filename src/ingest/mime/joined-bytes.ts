type Piece = string | ArrayBuffer | ArrayBufferView;

/**
 * As much of a Blob as postal-mime needs: it makes one of the lines of each part only to have them joined. Node's own keeps
 * a second copy outside of the heap and reads it back through the thread pool, which for a small message costs more than
 * all the rest of reading it.
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

/** For a thread that does nothing but parse mail. */
export function joinBytesWithoutBlobs(): void {
  Object.defineProperty(globalThis, "Blob", { value: JoinedBytes });
}
