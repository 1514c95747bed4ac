import { once } from "node:events";
import type { Server } from "node:http";

/** Starts a server of a test at a free port, and stops it after the test. Returns its origin. */
export async function listenLocally(
  server: Server,
  later: (stop: () => void) => unknown,
): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}
