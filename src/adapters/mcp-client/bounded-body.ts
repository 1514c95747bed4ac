import { RequestFault } from "./errors.ts";
import { eventLines } from "./event-lines.ts";

/** The longest form of the empty line that ends an event. Bytes. */
const longestEnd = 4;

/**
 * Creates the limit for the body of a response: one message, or a stream of events with a message in each.
 * @param isStream true for a stream of events, whose events are counted one by one
 * @param by.invalidEvent is called for an event that is not JSON-RPC
 */
export function boundedBody(
  isStream: boolean,
  { invalidEvent, maxBytes }: { invalidEvent: () => void; maxBytes: number },
): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let tail = Buffer.alloc(0);
  const completed = eventLines(invalidEvent);
  return new TransformStream({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      if (isStream) {
        const seen = Buffer.concat([tail, chunk]);
        const rest = bytesAfterLastEvent(seen);
        if (rest !== undefined) bytes = rest;
        tail = seen.subarray(-longestEnd + 1);
      }
      if (bytes > maxBytes) controller.error(tooLongMessage(maxBytes));
      else if (!isStream) controller.enqueue(chunk);
      else {
        const events = completed(chunk);
        if (events !== "") controller.enqueue(Buffer.from(events));
      }
    },
  });
}

export function tooLongMessage(maxBytes: number): RequestFault {
  return new RequestFault(`wrote a message over ${maxBytes / 1_048_576} MB`, { wasSent: true });
}

function bytesAfterLastEvent(seen: Buffer): number | undefined {
  const ends = ["\n\n", "\r\n\r\n", "\r\r"].flatMap((end) => {
    const at = seen.lastIndexOf(end);
    return at === -1 ? [] : [at + end.length];
  });
  return ends.length === 0 ? undefined : seen.length - Math.max(...ends);
}
