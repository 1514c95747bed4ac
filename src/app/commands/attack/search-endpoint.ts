import { createServer } from "node:http";
import { type LocalService, listenLocally } from "./listen-locally.ts";

/** Starts a search service that notes the bodies of its requests, decoded from JSON. */
export async function startSearchService(): Promise<LocalService> {
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
  return await listenLocally(server, bodies);
}

function leaves(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
}
