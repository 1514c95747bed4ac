import { once } from "node:events";
import { createServer } from "node:http";

/** A search service of this machine that notes what reached it. */
export interface SearchService {
  url: string;
  /** The bodies of all requests, decoded from JSON and joined. */
  received(): string;
  close: () => Promise<void>;
}

export async function startSearchService(): Promise<SearchService> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      // Decoded, so that a secret is compared as the service reads it.
      bodies.push(leaves(JSON.parse(Buffer.concat(parts).toString() || "null")).join("\n"));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ answer: "Nothing was found.", results: [] }));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The port is not known.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    received: () => bodies.join("\n"),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function leaves(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
}
