import type { S3Client } from "@aws-sdk/client-s3";
import { Readable } from "node:stream";
import { foreign, StoreFailure } from "./errors.ts";

/** The largest response in XML. A list of a thousand of the longest keys has two million bytes. */
const maxResponseBytes = 4 * 1_048_576;

/**
 * Limits every response that the SDK reads as a whole: lists, results and errors. The body of a read object is a
 * stream, which its reader limits. The SDK itself has no limit.
 */
export function boundResponses(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        const { response } = result;
        if (
          isResponse(response) &&
          !(commandName === "GetObjectCommand" && response.statusCode < 300)
        )
          response.body = Readable.from(bounded(response.body));
        return result;
      },
    // A low priority is nearest to the network, before the SDK reads the body.
    { step: "deserialize", priority: "low", name: "boundResponses" },
  );
}

function isResponse(response: unknown): response is { statusCode: number; body: Readable } {
  return (
    typeof response === "object" &&
    response !== null &&
    "statusCode" in response &&
    "body" in response &&
    response.body instanceof Readable
  );
}

async function* bounded(body: Readable): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  // Leaving the loop ends the stream and the connection.
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength;
    if (bytes > maxResponseBytes)
      throw new StoreFailure(foreign, {
        isOpen: true,
        cause: new Error(`a response of more than ${maxResponseBytes} bytes`),
      });
    yield piece;
  }
}
