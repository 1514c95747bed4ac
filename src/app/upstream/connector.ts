import { upstreamConnector } from "../../adapters/mcp-client/connect.ts";
import { createSignIn } from "../../adapters/mcp-client/sign-in.ts";
import type { Log } from "../../core/shared/log.ts";
import type { ConnectUpstream } from "../../ports/upstream/upstream-server.ts";
import { usableTool } from "../../upstream/usable-tool.ts";
import { version } from "../platform/version.ts";
import { signInStore } from "./sign-in-file.ts";
import { ownCommand } from "../platform/own-command.ts";

/** Returns the function that connects to an upstream server, with the sign-ins of this data directory. */
export function connector(dataDir: string, log: Log): ConnectUpstream {
  return upstreamConnector({
    version: version(),
    usable: usableTool,
    signIn: (server, url) =>
      createSignIn(server, { url, store: signInStore(dataDir, { name: server, url }), log }),
    log,
    command: ownCommand(),
  });
}
