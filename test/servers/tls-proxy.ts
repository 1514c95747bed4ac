import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { makeCertificate } from "./certificate.ts";

/** A proxy's reaction to one request. Undefined forwards it. */
export type Meddle = (asked: IncomingMessage) =>
  | undefined
  | { status: number; body?: string; headers?: Record<string, string> }
  | {
      /** Headers of the request, and of the response, that get lost. */
      lose?: readonly string[];
      /** The host name that the server sees. */
      host?: string;
      /** The type of the response. */
      type?: string;
      /** Answers are sent when they are complete. */
      holds?: boolean;
    };

/** Starts a proxy with TLS on this machine, as Caddy or a tunnel is. Its certificate is `cert`. */
export async function startTlsProxy(directory: string, meddle: Meddle = () => undefined) {
  const { cert, key } = makeCertificate(directory, ["127.0.0.1"], "proxy");
  let target = "";
  const tls = { cert: readFileSync(cert), key: readFileSync(key) };
  const server = createServer(tls, (asked, answer) => {
    const what = meddle(asked);
    if (what !== undefined && "status" in what) {
      answer.writeHead(what.status, { "content-type": "text/html", ...what.headers });
      answer.end(what.body ?? "");
      return;
    }
    const lost = what?.lose ?? [];
    const left = (headers: IncomingHttpHeaders) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !lost.includes(name)));
    const forwarded = {
      ...left(asked.headers),
      "x-forwarded-for": "81.2.69.142",
      ...(what?.host !== undefined && { host: what.host }),
    };
    const sent = request(
      new URL(asked.url ?? "/", target),
      { method: asked.method, headers: forwarded },
      (given) => {
        answer.writeHead(given.statusCode ?? 502, {
          ...left(given.headers),
          ...(what?.type !== undefined && { "content-type": what.type }),
        });
        if (what?.holds === true) {
          const parts: Uint8Array[] = [];
          given.on("data", (part: Uint8Array) => parts.push(part));
          given.once("end", () => answer.end(Buffer.concat(parts)));
        } else given.pipe(answer);
      },
    );
    sent.once("error", () => answer.destroy());
    asked.pipe(sent);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    cert,
    /** The public address. */
    origin: `https://localhost:${port}`,
    forwardTo: (address: string): void => void (target = address),
    close: (): void => {
      server.close().closeAllConnections();
    },
  };
}
