import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";

/** A CalDAV server of this machine with one empty calendar, which notes what was written. */
export interface CalendarService {
  url: string;
  /** The bodies of all written events, joined. */
  received(): string;
  close: () => Promise<void>;
}

/** The name of its calendar. */
export const calendarName = "Assistant";

export async function startCalendarService(): Promise<CalendarService> {
  const written: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method, url = "" } = request;
      if (method === "PUT") {
        // Folded lines are joined, so that a title is compared as it was written.
        written.push(
          Buffer.concat(parts)
            .toString()
            .replace(/\r?\n[ \t]/g, ""),
        );
        response.writeHead(201, { etag: '"1"' }).end();
      } else if (method === "PROPFIND" || method === "REPORT") answer(method, url, response);
      else response.writeHead(404).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The port is not known.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    received: () => written.join("\n"),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function answer(method: string, path: string, response: ServerResponse): void {
  const items =
    method === "REPORT"
      ? ""
      : path === "/home/"
        ? item(
            "/home/assistant/",
            `<d:displayname>${calendarName}</d:displayname><d:resourcetype><d:collection/><c:calendar/></d:resourcetype>`,
          )
        : path === "/home/assistant/"
          ? item(path, "<cs:getctag>1</cs:getctag>")
          : item(
              path,
              "<d:current-user-principal><d:href>/principal/</d:href></d:current-user-principal><c:calendar-home-set><d:href>/home/</d:href></c:calendar-home-set>",
            );
  response
    .writeHead(207, { "content-type": "application/xml" })
    .end(
      `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/">${items}</d:multistatus>`,
    );
}

const item = (href: string, props: string): string =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
