/** Less than that is copied to another thread in less time than it takes to hand it over. Bytes. */
const worthwhileBytes = 32_768;

/** What `postMessage` is to hand over of these bytes, whose memory is nobody else's: nothing where a copy costs less. */
export function transferList({ buffer }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength >= worthwhileBytes ? [buffer] : [];
}
