import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface BreakingLine {
  port: number;
  /** How many connections came. */
  readonly connections: number;
  /** Breaks the next connection that has carried so many bytes from the server. */
  breakAfter(bytes: number): void;
  close(): Promise<void>;
}

/** Starts a TCP proxy to a server on this machine, which breaks connections on request. */
export async function startBreakingLine(target: number): Promise<BreakingLine> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let allowed = Infinity;
  const server = createServer((client) => {
    connections += 1;
    const upstream = connect(target, "127.0.0.1");
    let carried = 0;
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end).on("close", end);
    }
    client.on("data", (data) => upstream.write(data));
    upstream.on("data", (data) => {
      carried += data.length;
      if (carried < allowed) return void client.write(data);
      allowed = Infinity;
      client.write(data.subarray(0, data.length / 2), end);
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    breakAfter: (bytes) => (allowed = bytes),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
