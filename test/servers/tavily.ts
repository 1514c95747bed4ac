import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

export const tavilyKey = "tvly-test-0123456789";

export interface TavilyRequest {
  line: string;
  body: unknown;
}

export interface TavilyServer {
  url: string;
  readonly requests: readonly TavilyRequest[];
  close(): Promise<void>;
}

/** One result as docs.tavily.com shows it, with the fields that we do not ask for. */
export const aResult = {
  title: "Lighthouse - Encyclopedia",
  url: "https://encyclopedia.example/lighthouse",
  content: "A lighthouse is a tower that shines.",
  score: 0.98,
  raw_content: null,
  favicon: "https://encyclopedia.example/favicon.ico",
};

export const anAnswer = {
  query: "lighthouse",
  answer: "A lighthouse is a tower with a lamp.",
  images: [],
  results: [aResult],
  response_time: "1.67",
  request_id: "123e4567-e89b-12d3-a456-426614174111",
};

const searchForm = z.looseObject({
  query: z.string().min(1).max(400),
  max_results: z.int().min(0).max(20),
  topic: z.enum(["general", "news", "finance"]).optional(),
  time_range: z.enum(["day", "week", "month", "year", "d", "w", "m", "y"]).optional(),
  include_answer: z.union([z.boolean(), z.enum(["basic", "advanced"])]),
});

/**
 * Starts Tavily's API as it is documented, on loopback.
 * @param misbehave answers instead. If it returns false, the documented API answers
 */
export async function startTavily(
  misbehave: (response: ServerResponse, count: number) => boolean | void = () => false,
): Promise<TavilyServer> {
  const requests: TavilyRequest[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const text = Buffer.concat(pieces).toString();
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      requests.push({ line: `${request.method} ${request.url}`, body });
      if (misbehave(response, requests.length) !== false) return;
      const send = (status: number, value: unknown) =>
        response
          .writeHead(status, { "content-type": "application/json" })
          .end(JSON.stringify(value));
      const refuse = (status: number, error: string) => send(status, { detail: { error } });
      if (request.headers.authorization !== `Bearer ${tavilyKey}`)
        refuse(401, "Unauthorized: missing or invalid API key.");
      else if (request.url === "/usage") send(200, { key: { usage: 150, limit: 1000 } });
      else if (request.url !== "/search") send(404, { detail: "Not Found" });
      else if (!searchForm.safeParse(body).success) refuse(400, "Invalid request.");
      else send(200, anAnswer);
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function reply(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
