import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/**
 * The fate of one request. `cut` breaks the connection in the middle of the request, and `lose` after it, before or
 * within the response.
 */
export type Fate = "pass" | "cut" | "lose" | "hang" | { loseAfterBytes: number };

export interface TcpProxy {
  url: string;
  /** The first line of each request that came, in order. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a proxy that can break connections: TCP between the client and `target`, which decides on each HTTP request.
 */
export async function startTcpProxy(
  target: string,
  decide: (firstLine: string, count: number) => Fate,
): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let fate: Fate = "pass";
    let answered = 0;
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end).on("close", end);
    }
    client.on("data", (data) => {
      const first = /^(?:GET|HEAD|PUT|POST|DELETE) [^\r\n]+/.exec(data.toString("latin1"))?.[0];
      if (first !== undefined) {
        requests.push(first);
        fate = decide(first, requests.length);
        answered = 0;
      }
      if (fate === "hang") return;
      if (fate !== "cut") upstream.write(data);
      else {
        // Half of what came, so that the server has begun to read.
        upstream.write(data.subarray(0, data.length / 2));
        setImmediate(end);
      }
    });
    upstream.on("data", (data) => {
      answered += data.length;
      if (fate === "lose") end();
      else if (typeof fate === "object" && answered > fate.loseAfterBytes) {
        client.write(data.subarray(0, data.length / 2), end);
      } else client.write(data);
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
