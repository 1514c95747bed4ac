/** Bytes per response. A hundred events of the largest kind are far smaller. */
const maxResponseBytes = 8 * 1_048_576;

/**
 * Returns a `fetch` that ends with `closing`, limits the response and follows no redirects, because the token is part
 * of every URL.
 */
export function boundedFetch(closing: AbortSignal): typeof fetch {
  return async (address, init = {}) => {
    const signals = init.signal ? [init.signal, closing] : [closing];
    const response = await fetch(address, {
      ...init,
      redirect: "error",
      signal: AbortSignal.any(signals),
    });
    const body = new Uint8Array(await boundedBody(response));
    return new Response(body, { status: response.status });
  };
}

async function boundedBody({ body }: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop closes the connection.
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength;
    if (bytes > maxResponseBytes) throw new Error("the response is too large");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
