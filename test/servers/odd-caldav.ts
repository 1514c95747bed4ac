import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface SeenRequest {
  method: string;
  host: string;
  path: string;
  authorization: string | undefined;
}

/** Answers a request, or returns false to let the well-behaved part answer. */
export type Oddity = (
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
) => boolean | Promise<boolean>;

export interface OddServer {
  url: string;
  seen: SeenRequest[];
  odd: Oddity;
  close(): Promise<void>;
}

const davXml = (inner: string): string =>
  `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/">${inner}</d:multistatus>`;

export function davItem(href: string, props: string): string {
  return `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
}

export function answerDav(response: ServerResponse, inner: string): void {
  response.writeHead(207, { "content-type": "application/xml" }).end(davXml(inner));
}

/** Starts a CalDAV server with one empty calendar, which is correct until `odd` changes it. */
export async function startOddServer(host = "127.0.0.1"): Promise<OddServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      void (async () => {
        const { method = "", url: path = "", headers } = request;
        seen.push({ method, path, host: headers.host ?? "", authorization: headers.authorization });
        if (await result.odd(request, response, Buffer.concat(chunks).toString())) return;
        behave(method, path, response);
      })();
    });
  });
  server.listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const result: OddServer = {
    url: `http://${host}:${port}`,
    seen,
    odd: () => false,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return result;
}

function behave(method: string, path: string, response: ServerResponse): void {
  if (method === "PUT") return void response.writeHead(201, { etag: '"1"' }).end();
  if (method === "DELETE") return void response.writeHead(204).end();
  if (method === "GET") return void response.writeHead(404).end();
  if (method === "REPORT") return answerDav(response, "");
  if (path === "/home/") {
    const calendar = "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>";
    return answerDav(
      response,
      davItem("/home/", "<d:resourcetype><d:collection/></d:resourcetype>") +
        davItem("/home/assistant/", `<d:displayname>Assistant</d:displayname>${calendar}`) +
        davItem("/home/private/", `<d:displayname>Private canary</d:displayname>${calendar}`),
    );
  }
  if (path === "/home/assistant/") {
    return answerDav(response, davItem(path, "<cs:getctag>1</cs:getctag>"));
  }
  answerDav(
    response,
    davItem(
      path,
      "<d:current-user-principal><d:href>/principal/</d:href></d:current-user-principal><c:calendar-home-set><d:href>/home/</d:href></c:calendar-home-set>",
    ),
  );
}
