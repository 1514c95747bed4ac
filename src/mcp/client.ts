import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Server,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { clientName } from "../core/shared/text/client-name.ts";
import type { CallContext } from "./call-context.ts";

/** The client's description of itself, per request. Its name never permits anything. */
export interface ClientFacts {
  name: string;
  version: string;
  /**
   * True if the client declared form elicitation. An empty `elicitation: {}` means form (MCP 2025-11-25, elicitation
   * capabilities).
   */
  canElicit: boolean;
}

const info = z.object({ name: z.string(), version: z.string().optional() });
const capabilities = z.object({
  elicitation: z.looseObject({ form: z.unknown().optional() }).optional(),
});

/** In the 2025 era `initialize` describes the client once per connection. */
const factsOf = new WeakMap<Server, ClientFacts>();

/** Returns the client's facts: from the request's envelope in the 2026 era, from `initialize` in the 2025 era. */
export function clientFacts(server: Server, ctx: CallContext): ClientFacts {
  const { envelope } = ctx.mcpReq;
  if (envelope !== undefined) return readFacts(server, envelope);
  const known = factsOf.get(server);
  if (known !== undefined) return known;
  const facts = readFacts(server);
  if (server.getClientVersion() !== undefined) factsOf.set(server, facts);
  return facts;
}

function readFacts(server: Server, envelope?: Readonly<Record<string, unknown>>): ClientFacts {
  const who = info.safeParse(envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion());
  const declared = capabilities.safeParse(
    envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities(),
  );
  const elicitation = declared.success ? declared.data.elicitation : undefined;
  return {
    name: clientName(who.success ? who.data.name : ""),
    version: (who.success ? who.data.version : undefined) ?? "",
    canElicit:
      elicitation !== undefined &&
      (elicitation.form !== undefined || Object.keys(elicitation).length === 0),
  };
}
