import { RequestFault } from "./errors.ts";
import { eventLines } from "./event-lines.ts";
import { notJsonRpc } from "./message-guard.ts";

/** The longest form of the empty line that ends an event. Bytes. */
const longestEnd = 4;

/**
 * Creates the limit for the body of a response: one message, or a stream of events with a message in each.
 * @param isStream true for a stream of events, whose events are counted one by one
 * @param by.invalid receives the reason why a body or an event cannot be used. The SDK would only know that the stream
 *   ended
 */
export function boundedBody(
  isStream: boolean,
  { invalid, maxBytes }: { invalid: (reason: string) => void; maxBytes: number },
): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let tail = Buffer.alloc(0);
  const completed = eventLines(() => invalid(notJsonRpc));

  /** Returns what can be read on of a chunk. @throws RequestFault */
  function checked(chunk: Uint8Array): Uint8Array {
    bytes += chunk.length;
    if (isStream) {
      const seen = Buffer.concat([tail, chunk]);
      const rest = bytesAfterLastEvent(seen);
      if (rest !== undefined) bytes = rest;
      tail = seen.subarray(-longestEnd + 1);
    }
    if (bytes > maxBytes) throw tooLongMessage(maxBytes);
    return isStream ? Buffer.from(completed(chunk)) : chunk;
  }

  return new TransformStream({
    transform: (chunk, controller) => {
      try {
        const events = checked(chunk);
        if (events.length > 0) controller.enqueue(events);
      } catch (thrown) {
        if (thrown instanceof RequestFault) invalid(thrown.reason);
        throw thrown;
      }
    },
  });
}

export function tooLongMessage(maxBytes: number): RequestFault {
  return new RequestFault(`wrote a message over ${maxBytes / 1_000_000} MB`, { wasSent: true });
}

function bytesAfterLastEvent(seen: Buffer): number | undefined {
  const ends = ["\n\n", "\r\n\r\n", "\r\r"].flatMap((end) => {
    const at = seen.lastIndexOf(end);
    return at === -1 ? [] : [at + end.length];
  });
  return ends.length === 0 ? undefined : seen.length - Math.max(...ends);
}
