/** A summary in any protocol is a few kB. Bytes. */
const maxAnswerBytes = 1_048_576;

export class EndlessAnswer extends Error {
  override readonly name = "EndlessAnswer";
}

/** `fetch` with a limited answer and without redirects, so that key and mail go only to the configured address. */
export const boundedFetch: typeof fetch = async (input, init) => {
  const { status, statusText, headers, body } = await fetch(input, {
    ...init,
    redirect: "manual",
  });
  let bytes = 0;
  const bounded = body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, controller) => {
        bytes += piece.byteLength;
        if (bytes > maxAnswerBytes) controller.error(new EndlessAnswer());
        else controller.enqueue(piece);
      },
    }),
  );
  return new Response(bounded ?? null, { status, statusText, headers });
};
