/** Copying fewer bytes to another thread is faster than transferring them. */
const worthwhileBytes = 32_768;

/**
 * Returns the transfer list of `postMessage` for these bytes, which must own their memory. Empty if a copy is faster.
 */
export function transferList({ buffer }: ArrayBufferView): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength >= worthwhileBytes ? [buffer] : [];
}
