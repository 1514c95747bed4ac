import type { Cancellation } from "../core/shared/lazy-signal.ts";
import type { ServerContext } from "@modelcontextprotocol/server";

/** The part of the SDK's context of a request that a tool call uses. */
export interface CallContext {
  mcpReq: Pick<
    ServerContext["mcpReq"],
    "_meta" | "elicitInput" | "envelope" | "inputResponses" | "notify" | "signal"
  > &
    // Only in the 2026 era.
    Partial<Pick<ServerContext["mcpReq"], "requestState">> & {
      /** The same as `signal`, if that is created when it is read. */
      cancellation?: Cancellation;
    };
}
