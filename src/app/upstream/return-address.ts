import { once } from "node:events";
import { createServer } from "node:http";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { Return } from "../../adapters/mcp-client/sign-in.ts";

const path = "/callback";
/** How long a person may take at the sign-in page. Milliseconds. */
const waitForMs = 600_000;

const page = (text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Countersign</title><p>${text}</p></html>\n`;

/**
 * Listens on this machine for the browser that returns from a sign-in (RFC 8252 section 7.3). Answers without the
 * expected state are refused.
 */
export async function listenForReturn(): Promise<Return & { close(): void }> {
  const waiting = new Map<string, (answer: URLSearchParams) => void>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const state = searchParams.get("state") ?? "";
    const taken = request.method === "GET" && pathname === path ? waiting.get(state) : undefined;
    waiting.delete(state);
    response.writeHead(taken === undefined ? 400 : 200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      connection: "close",
    });
    response.end(
      page(
        taken === undefined
          ? "This is not the answer to a sign-in of Countersign."
          : "The answer arrived. Close this page, and look at the terminal.",
      ),
    );
    taken?.(searchParams);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    redirectUrl: `http://127.0.0.1:${port}${path}`,
    answer: async (state) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => {
          const minutes = waitForMs / 60_000;
          const text = `No browser returned from the sign-in page within ${minutes} minutes. No sign-in was stored.`;
          reject(new ToolError("timeout", text));
        }, waitForMs);
      });
      const arrived = new Promise<URLSearchParams>((resolve) => waiting.set(state, resolve));
      try {
        return await Promise.race([arrived, late]);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
