import {
  type AuthInfo,
  type McpServer,
  type Server,
  createMcpHandler,
  isLegacyRequest,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Log } from "../../core/shared/log.ts";
import type { HttpCaller } from "./callers.ts";
import type { HttpLimits } from "./limits.ts";
import { markLost, withReason } from "../lost-arguments.ts";
import { rpcError } from "./rpc-error.ts";
import { createSessions } from "./sessions.ts";

/** Creates the server for one caller's connection (2025) or request (2026). */
export type ServerFor = (connection: {
  era: "modern" | "legacy";
  principal: string;
  lowRiskOnly?: boolean | undefined;
}) => McpServer | Server;

export interface BothEras {
  /**
   * Handles an authorised request.
   * @param body the text of a POST, which `request` does not contain
   */
  fetch(request: Request, caller: HttpCaller, body: string): Promise<Response>;
  /** Notifies every listening client. */
  toolsChanged(): void;
  sweep(): Promise<void>;
  /** Ends streams without running calls. Calls continue. */
  closeStreams(): Promise<void>;
  close(): Promise<void>;
}

const lowRiskScope = "mcp:read";

const aMethod = z.object({ method: z.string() });

/**
 * Creates one endpoint for both eras. Any process on the same database can answer a 2026 request. A 2025 client gets a
 * session, which the server needs to show it a dialog.
 */
export function createBothEras(settings: {
  serverFor: ServerFor;
  limits: HttpLimits;
  now: () => number;
  log: Log;
}): BothEras {
  const { serverFor, limits, log } = settings;
  const modernHandler = () =>
    createMcpHandler(({ authInfo }) => serverFor({ era: "modern", ...callerOf(authInfo) }), {
      legacy: "reject",
      maxSubscriptions: limits.subscriptions,
      onerror: (cause) => log.debug("a 2026 request failed", { cause }),
    });
  const modern = modernHandler();
  // A separate handler, so that these streams can end while calls are still answered.
  const subscriptions = modernHandler();
  const sessions = createSessions({
    ...settings,
    serverFor: (caller) => serverFor({ era: "legacy", ...caller }),
  });

  return {
    fetch: async (request, caller, text) => {
      let body: unknown;
      // The types were compared before. The SDK knows no ranges, and curl sends `*/*` (RFC 9110 section 12.5.1).
      request.headers.set("accept", "application/json, text/event-stream");
      if (request.method === "POST") {
        try {
          body = markLost(withReason<unknown>(JSON.parse(text)));
        } catch {
          return rpcError(400, "Parse error: the body is not valid JSON.", -32_700);
        }
      }
      // Parsed once, because the SDK would parse it again at each step.
      if (await isLegacyRequest(request, body)) {
        return await sessions.fetch(request, caller, body);
      }
      const handler =
        aMethod.safeParse(body).data?.method === "subscriptions/listen" ? subscriptions : modern;
      return await handler.fetch(request, { authInfo: authOf(caller), parsedBody: body });
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

/** Returns the caller in the SDK's OAuth form. The token is not passed on. */
function authOf({ principal, lowRiskOnly = false }: HttpCaller): AuthInfo {
  return { clientId: principal, scopes: lowRiskOnly ? [lowRiskScope] : [], token: "" };
}

function callerOf(authInfo: AuthInfo | undefined): HttpCaller {
  if (authInfo === undefined) throw new Error("an authorised request has no caller");
  const { clientId: principal, scopes } = authInfo;
  return { principal, lowRiskOnly: scopes.includes(lowRiskScope) };
}
