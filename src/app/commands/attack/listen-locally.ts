import { once } from "node:events";
import type { Server } from "node:http";

/** A service on this machine that notes what it receives. */
export interface LocalService {
  url: string;
  received(): string;
  close(): Promise<void>;
}

/** Starts a server on a free port of loopback. `notes` collects what it receives. */
export async function listenLocally(
  server: Server,
  notes: readonly string[],
): Promise<LocalService> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The port is not known.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    received: () => notes.join("\n"),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
