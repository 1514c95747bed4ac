import { once } from "node:events";
import { symlinkSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { freePort, startChild, stopChild } from "./child.ts";
import { endlessly, type HranaRequest, type HranaServer } from "./hrana.ts";

interface Pipeline {
  baton?: string | null;
  requests: readonly HranaRequest[];
}

interface Answer {
  status: number;
  type: string;
  body: string;
}

/**
 * Starts a real libSQL server, `sqld`, with a front that lets pipelines fail. Its own locks and its own refusal of a stream
 * that ended are used where a fault needs them.
 * @param program the path of `sqld`
 * @param path becomes a link to the file of its database
 */
export async function startSqld(program: string, path: string): Promise<HranaServer> {
  const port = await freePort();
  const listen = ["--http-listen-addr", `127.0.0.1:${port}`];
  const directory = `${path}.sqld`;
  const child = await startChild(
    program,
    ["--db-path", directory, ...listen, "--no-welcome"],
    port,
  );
  symlinkSync(join(directory, "dbs", "default", "data"), path);
  const pipelines: (readonly HranaRequest[])[] = [];
  const token = "a-token-of-the-database-server";

  async function forward(pipeline: Pipeline): Promise<Answer> {
    const response = await fetch(`http://127.0.0.1:${port}/v2/pipeline`, {
      method: "POST",
      body: JSON.stringify(pipeline),
    });
    const type = response.headers.get("content-type") ?? "text/plain";
    return { status: response.status, type, body: await response.text() };
  }

  // The first request creates the file.
  await forward({ requests: [{ type: "execute", stmt: { sql: "SELECT 1" } }, { type: "close" }] });

  async function end(baton: string | null | undefined): Promise<void> {
    if (baton !== null && baton !== undefined)
      await forward({ baton, requests: [{ type: "close" }] });
  }

  const batonOf = ({ status, body }: Answer): string | null =>
    status === 200 ? (JSON.parse(body) as { baton: string | null }).baton : null;

  /** Runs the work while another stream has the lock. */
  async function whileLocked(work: () => Promise<Answer>): Promise<Answer> {
    const stmt = { sql: "BEGIN IMMEDIATE" };
    const locking = await forward({ requests: [{ type: "execute", stmt }] });
    try {
      return await work();
    } finally {
      await end(batonOf(locking));
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    if (request.url !== "/v2/pipeline") return void response.end();
    if (request.headers.authorization !== `Bearer ${token}`)
      return void response.writeHead(401).end("Unauthorized");
    const pipeline = JSON.parse(Buffer.concat(pieces).toString()) as Pipeline;
    pipelines.push(pipeline.requests);
    const fault = running.fault(pipeline.requests);
    if (fault?.kind === "status") return void response.writeHead(fault.status).end("fault");
    if (fault?.kind === "cut" && fault.when === "before") return void request.socket.destroy();
    if (fault?.kind === "endless") return await endlessly(response);
    if (fault?.kind === "slow" && !request.socket.destroyed) await once(request.socket, "close");
    if (fault?.kind === "expired") await end(pipeline.baton);
    const work = (): Promise<Answer> => forward(pipeline);
    const answer = await (fault?.kind === "busy" ? whileLocked(work) : work());
    if (fault?.kind === "cut") {
      await end(batonOf(answer));
      return void request.socket.destroy();
    }
    response.writeHead(answer.status, { "content-type": answer.type }).end(answer.body);
  }

  const front = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  }).listen(0, "127.0.0.1");
  await once(front, "listening");
  const running: HranaServer = {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    token,
    fault: () => undefined,
    pipelines,
    close: async () => {
      front.closeAllConnections();
      await new Promise((resolve) => front.close(resolve));
      await stopChild(child);
    },
  };
  return running;
}
