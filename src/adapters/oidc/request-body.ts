import type { IncomingMessage } from "node:http";
import { maxBodyBytes } from "./limits.ts";

/** Reads the body. Returns undefined if it is too large. The connection remains usable. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const parts = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  for await (const chunk of parts) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Makes the library read this body, which it does with `iterator`, instead of the original that was already read. */
export function replaceBody(request: IncomingMessage, text: string): void {
  const body = Buffer.from(text);
  request.headers["content-length"] = String(body.length);
  delete request.headers["transfer-encoding"];
  Object.defineProperties(request, {
    readable: { value: true },
    iterator: {
      value: async function* once() {
        yield body;
      },
    },
  });
}
