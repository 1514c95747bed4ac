import { createHash } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

interface Kept {
  body: Buffer;
  etag: string;
  headers: Record<string, string>;
}

export interface ConditionalS3 {
  url: string;
  /** Method, key and `If-Match` of each request, in order. */
  readonly requests: readonly string[];
  readonly objects: Map<string, Kept>;
  close(): Promise<void>;
}

/**
 * Serves HEAD, GET, PUT, copy and DELETE with the conditions that Amazon documents (S3 user guide, conditional
 * requests) and Ceph 16 does not have: on DELETE and on the source of a copy. It works in memory, without signatures.
 * @param options.answersDelete a store that answers a conditional DELETE with this status and does nothing
 */
export async function startConditionalS3(
  options: { answersDelete?: number; beforeDelete?: (objects: Map<string, Kept>) => void } = {},
): Promise<ConditionalS3> {
  const objects = new Map<string, Kept>();
  const requests: string[] = [];

  function put(key: string, body: Buffer, from: IncomingHttpHeaders): Kept {
    const etag = `"${createHash("md5").update(body).digest("hex")}"`;
    const kept = Object.entries(from).filter(
      ([name]) => name === "content-type" || name.startsWith("x-amz-meta-"),
    );
    const headers = Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
    const object = { body, etag, headers };
    objects.set(key, object);
    return object;
  }

  function answer(method: string, key: string, headers: IncomingHttpHeaders, body: Buffer) {
    const there = objects.get(key);
    const ifMatch = headers["if-match"];
    if (method === "PUT") {
      if (headers["if-none-match"] === "*" && there) return { status: 412 };
      if (ifMatch !== undefined && ifMatch !== there?.etag) return { status: there ? 412 : 404 };
      const source = headers["x-amz-copy-source"];
      if (source === undefined) return { status: 200, etag: put(key, body, headers).etag };
      const from = objects.get(decodeURIComponent(String(source)).replace(/^\/?b\//, ""));
      if (from === undefined) return { status: 404 };
      if (headers["x-amz-copy-source-if-match"] !== from.etag) return { status: 412 };
      const { etag } = put(key, from.body, headers);
      const time = new Date().toISOString();
      const xml = `<CopyObjectResult><ETag>${etag}</ETag><LastModified>${time}</LastModified></CopyObjectResult>`;
      return { status: 200, body: Buffer.from(xml) };
    }
    if (there === undefined) return { status: method === "DELETE" && !ifMatch ? 204 : 404 };
    if (method !== "DELETE") return { status: 200, ...there };
    if (ifMatch !== undefined && options.answersDelete) return { status: options.answersDelete };
    if (ifMatch !== undefined && ifMatch !== there.etag) return { status: 412 };
    objects.delete(key);
    return { status: 204 };
  }

  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const { method = "", headers } = request;
      const key = decodeURIComponent(new URL(request.url ?? "", "http://s3").pathname.slice(3));
      requests.push([method, key, headers["if-match"]].filter(Boolean).join(" "));
      if (method === "DELETE") options.beforeDelete?.(objects);
      const found = answer(method, key, headers, Buffer.concat(pieces));
      const { status, etag, body } = { etag: undefined, body: undefined, ...found };
      response.writeHead(status, {
        ...("headers" in found ? found.headers : {}),
        "last-modified": new Date().toUTCString(),
        ...(etag !== undefined && { etag }),
        ...(body !== undefined && { "content-length": String(body.length) }),
      });
      response.end(method === "HEAD" ? undefined : body);
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    objects,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
