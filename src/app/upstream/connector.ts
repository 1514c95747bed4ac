import type { Log } from "../../core/shared/log.ts";
import type { ConnectUpstream } from "../../ports/upstream/upstream-server.ts";
import { usableTool } from "../../upstream/usable-tool.ts";
import { version } from "../platform/version.ts";
import { signInStore } from "./sign-in-file.ts";
import { ownCommand } from "../platform/own-command.ts";

/**
 * Returns the function that connects to an upstream server, with the sign-ins of this data directory. The first
 * connection loads the client.
 */
export function connector(dataDir: string, log: Log): ConnectUpstream {
  let connect: Promise<ConnectUpstream> | undefined;
  return async (entry) => await (await (connect ??= loadedConnector(dataDir, log)))(entry);
}

async function loadedConnector(dataDir: string, log: Log): Promise<ConnectUpstream> {
  const [{ upstreamConnector }, { createSignIn }] = await Promise.all([
    import("../../adapters/mcp-client/connect.ts"),
    import("../../adapters/mcp-client/sign-in/renew-sign-in.ts"),
  ]);
  return upstreamConnector({
    version: version(),
    usable: usableTool,
    signIn: (server, url) =>
      createSignIn(server, { url, store: signInStore(dataDir, { name: server, url }), log }),
    log,
    command: ownCommand(),
  });
}
