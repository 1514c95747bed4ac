/** A summary in any protocol is a few kB. Bytes. */
const maxAnswerBytes = 1_048_576;

export class EndlessAnswer extends Error {
  override readonly name = "EndlessAnswer";
}

/** `fetch` that reads no answer without end, and takes key and mail to the configured address and nowhere else. */
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
