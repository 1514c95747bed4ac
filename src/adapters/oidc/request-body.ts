import type { IncomingMessage } from "node:http";

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
