/** A request of `node:http`. */
interface Incoming {
  iterator(options: { destroyOnReturn: boolean }): unknown;
}

/**
 * Reads the body of a request. Undefined if it is larger than `maxBytes`. The excess is discarded and the connection
 * stays usable.
 */
export async function readBody(request: Incoming, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Destroying the stream would close the connection before the refusal is sent.
  const parts = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(part);
  }
  return Buffer.concat(chunks, bytes).toString("utf8");
}
