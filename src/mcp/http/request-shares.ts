import type { IncomingMessage, ServerResponse } from "node:http";
import { networksOf } from "../../core/network-limits/network.ts";
import { addressOf } from "../../core/network-limits/sender-address.ts";
import { createShares } from "../../core/network-limits/shares.ts";
import type { HttpLimits } from "./limits.ts";

/** Counts the requests under way, per network until they are authenticated, and per caller after that. */
export interface RequestShares {
  /**
   * Counts a request before authentication, until its response ends. If its network exceeds its share, the oldest such
   * request of that network is ended.
   * @returns the client address, and the function that ends the counting early
   */
  takeUnauthenticated(
    request: IncomingMessage,
    response: ServerResponse,
  ): { sender: string; release: (() => void) | undefined };
  /** Counts a caller's request until its response ends. Returns false if the caller has reached its limit. */
  take(principal: string, response: ServerResponse): boolean;
}

export function createRequestShares(limits: HttpLimits, behindProxy: boolean): RequestShares {
  const unauthenticated = createShares({
    total: limits.unauthenticatedRequests,
    each: [limits.unauthenticatedRequestsPerNetwork, limits.unauthenticatedRequestsPerWiderNetwork],
  });
  const underWay = new Map<string, number>();

  return {
    takeUnauthenticated: (request, response) => {
      const sender = addressOf(request, behindProxy);
      const { narrow, wide } = networksOf(sender);
      const end = (): void => void request.socket.destroy();
      const release = unauthenticated.take({ keys: [narrow, wide], end, isBusy: () => false });
      response.once("close", () => release?.());
      return { sender, release };
    },
    take: (principal, response) => {
      const count = underWay.get(principal) ?? 0;
      if (count >= limits.requestsPerCaller) return false;
      underWay.set(principal, count + 1);
      response.once("close", () => {
        const left = (underWay.get(principal) ?? 0) - 1;
        if (left > 0) underWay.set(principal, left);
        else underWay.delete(principal);
      });
      return true;
    },
  };
}
