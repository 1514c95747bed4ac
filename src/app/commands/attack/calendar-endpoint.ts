import { createServer, type ServerResponse } from "node:http";
import { type LocalService, listenLocally } from "./listen-locally.ts";

/** The name of its calendar. */
export const calendarName = "Assistant";

/** Starts a CalDAV server with one empty calendar that notes the bodies of written events. */
export async function startCalendarService(): Promise<LocalService> {
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
  return await listenLocally(server, written);
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
