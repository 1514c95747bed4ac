import {
  type AuthInfo,
  type McpServer,
  type Server,
  createMcpHandler,
  isLegacyRequest,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Log } from "../../core/shared/log.ts";
import type { HttpLimits } from "./limits.ts";
import { rpcError } from "./rpc-error.ts";
import { createSessions } from "./sessions.ts";

/** Makes the server for one connection (2025) or one request (2026) of one caller. */
export type ServerFor = (connection: {
  era: "modern" | "legacy";
  principal: string;
}) => McpServer | Server;

export interface BothEras {
  /** For a request that has been let in. `body` is the text of a POST, which `request` does not hold. */
  fetch(request: Request, principal: string, body: string): Promise<Response>;
  /** Tells every client that listens. */
  toolsChanged(): void;
  sweep(): Promise<void>;
  /** Ends the streams on which clients only listen; calls go on. */
  closeStreams(): Promise<void>;
  close(): Promise<void>;
}

const aMethod = z.object({ method: z.string() });

/**
 * One endpoint for both eras. A 2026 request is answered by a server of its own, so any process on the same database can
 * answer any round. A 2025 client gets a session, without which the server could ask it nothing.
 */
export function createBothEras(settings: {
  serverFor: ServerFor;
  limits: HttpLimits;
  now: () => number;
  log: Log;
}): BothEras {
  const { serverFor, limits, log } = settings;
  const modernHandler = () =>
    createMcpHandler(
      ({ authInfo }) => serverFor({ era: "modern", principal: principalOf(authInfo) }),
      {
        legacy: "reject",
        maxSubscriptions: limits.subscriptions,
        onerror: (cause) => log.debug("a 2026 request failed", { cause }),
      },
    );
  const modern = modernHandler();
  // Of its own, so that these streams can be ended while calls are still being answered.
  const subscriptions = modernHandler();
  const sessions = createSessions({
    ...settings,
    serverFor: (principal) => serverFor({ era: "legacy", principal }),
  });

  return {
    fetch: async (request, principal, text) => {
      let body: unknown;
      if (request.method === "POST") {
        try {
          body = JSON.parse(text);
        } catch {
          return rpcError(400, "Parse error: the body is not valid JSON.", -32_700);
        }
      }
      // Parsed once for all that look at it: the SDK would parse it again at each step.
      if (await isLegacyRequest(request, body)) {
        return await sessions.fetch(request, principal, body);
      }
      const handler =
        aMethod.safeParse(body).data?.method === "subscriptions/listen" ? subscriptions : modern;
      return await handler.fetch(request, { authInfo: authOf(principal), parsedBody: body });
    },
    toolsChanged: () => {
      subscriptions.notify.toolsChanged();
      sessions.toolsChanged();
    },
    sweep: () => sessions.sweep(),
    closeStreams: async () => {
      sessions.closeStreams();
      await subscriptions.close();
    },
    close: async () => void (await Promise.all([modern.close(), sessions.close()])),
  };
}

/** The SDK carries the caller in its OAuth form. The token has done its work and is not passed on. */
function authOf(principal: string): AuthInfo {
  return { clientId: principal, scopes: [], token: "" };
}

function principalOf(authInfo: AuthInfo | undefined): string {
  if (authInfo === undefined) throw new Error("a request was let in without a caller");
  return authInfo.clientId;
}
