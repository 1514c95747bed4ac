import type { ServerResponse } from "node:http";
import type { Log } from "../../core/shared/log.ts";

/** How often open streams are compared with the grants. Milliseconds. */
export const grantCheckMs = 2_000;

/** Returns which of these grants still exist. */
export type GrantLookup = (grantIds: readonly string[]) => Promise<ReadonlySet<string>>;

/** Tracks the requests of clients that signed in. Otherwise a stream could outlive its grant by hours. */
export interface GrantedRequests {
  began(grantId: string, response: ServerResponse): void;
  /** Closes the connections of requests whose grant has ended. */
  endRevoked(): Promise<void>;
}

export function createGrantedRequests(stillGranted: GrantLookup, log: Log): GrantedRequests {
  const underWay = new Map<ServerResponse, string>();
  let isAsking = false;
  return {
    began: (grantId, response) => {
      underWay.set(response, grantId);
      response.once("close", () => underWay.delete(response));
    },
    endRevoked: async () => {
      if (underWay.size === 0 || isAsking) return;
      isAsking = true;
      try {
        const asked = [...underWay];
        const left = await stillGranted([...new Set(asked.map(([, grantId]) => grantId))]);
        for (const [response, grantId] of asked) if (!left.has(grantId)) response.destroy();
      } catch (cause) {
        log.debug("reading the grants of open streams failed", { cause });
      } finally {
        isAsking = false;
      }
    },
  };
}
