import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { createServer, type IncomingMessage, request as forward } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Starts an HTTP proxy in front of the server, which writes all traffic to a file as `tap.mjs` does. Returns the
 * server's URL through it.
 */
export async function recorded(
  target: string,
  log: string,
): Promise<{ url: string; close: () => Promise<void> }> {
  const { host, hostname, port, pathname } = new URL(target);
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const upstream = forward(
      { hostname, port, method, path: url, headers: { ...headers, host } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        byLine(answer, (line) => appendFileSync(log, `< ${line}\n`));
        answer.pipe(response);
      },
    );
    upstream.on("error", () => response.destroy());
    response.on("close", () => upstream.destroy());
    byLine(request, (line) => appendFileSync(log, `> ${line}\n`));
    request.pipe(upstream);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function byLine(stream: IncomingMessage, take: (line: string) => void): void {
  let rest = "";
  stream.on("data", (data: Buffer) => {
    const lines = (rest + data.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
  stream.on("end", () => take(rest));
}
