/** What is read of one answer: a hundred events of the largest kind are far below it. Bytes. */
const maxAnswerBytes = 8 * 1_048_576;

/**
 * Node's `fetch` for one service: it ends with `closing`, reads so much and no more, and follows nobody elsewhere, since the
 * token is part of every address.
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
  // Leaving the loop ends the connection.
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength;
    if (bytes > maxAnswerBytes) throw new Error("an answer that does not end");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
