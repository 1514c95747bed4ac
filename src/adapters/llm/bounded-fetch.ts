/** The largest response. A summary in any protocol has a few kB, and a streamed one some hundred kB. Bytes. */
const maxResponseBytes = 4_194_304;

export class EndlessResponse extends Error {
  override readonly name = "EndlessResponse";
}

export class SilentService extends Error {
  override readonly name = "SilentService";
}

/** `fetch` with a limited response and without redirects, so that key and mail go only to the configured address. */
export const boundedFetch: typeof fetch = async (input, init) =>
  bounded(await fetch(input, { ...init, redirect: "manual" }));

/**
 * Returns the same kind of `fetch` for streams, which may take any time as long as bytes arrive.
 * @param silenceMs the longest time without a byte
 */
export function fetchWithIdleTimeout(silenceMs: number): typeof fetch {
  return async (input, init) => {
    const silence = new AbortController();
    const isOver = (): void => silence.abort(new SilentService());
    // A broken stream is not reported here. The connection keeps the process alive.
    const wait = (): NodeJS.Timeout => setTimeout(isOver, silenceMs).unref();
    let timer = wait();
    const heard = (): void => {
      clearTimeout(timer);
      timer = wait();
    };
    const ended = (): void => clearTimeout(timer);
    const signal = init?.signal ? AbortSignal.any([init.signal, silence.signal]) : silence.signal;
    signal.addEventListener("abort", ended, { once: true });
    try {
      const response = await fetch(input, { ...init, signal, redirect: "manual" });
      return bounded(response, { heard, ended });
    } catch (error) {
      ended();
      throw error;
    }
  };
}

function bounded(
  { status, statusText, headers, body }: Response,
  { heard, ended }: { heard?: () => void; ended?: () => void } = {},
): Response {
  let bytes = 0;
  const limited = body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, controller) => {
        heard?.();
        bytes += piece.byteLength;
        if (bytes > maxResponseBytes) controller.error(new EndlessResponse());
        else controller.enqueue(piece);
      },
      flush: () => ended?.(),
    }),
  );
  return new Response(limited ?? null, { status, statusText, headers });
}
