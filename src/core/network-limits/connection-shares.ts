import { networksOf } from "./network.ts";
import { createShares } from "./shares.ts";

/** Limits on a listener's sockets. No setting switches them off. */
export interface ConnectionLimits {
  /** Sockets without a proof of identity, per network, per wider network and in total. */
  unauthenticatedPerNetwork: number;
  unauthenticatedPerWiderNetwork: number;
  unauthenticated: number;
  /** Sockets whose last request proved a caller, per caller and in total. */
  perCaller: number;
  callers: number;
}

/** The members of a socket that are used here. */
export interface SharedSocket {
  readonly remoteAddress?: string | undefined;
  destroy(): unknown;
  once(event: "close", listener: () => void): unknown;
}

/** Limits a listener's sockets so that idle or unknown clients cannot displace authenticated callers. */
export interface ConnectionShares {
  opened(connection: SharedSocket): void;
  /** Records that a request on the socket had a caller's token or session. */
  proved(connection: SharedSocket, caller: string): void;
  /** Records the start of a request and returns a function for its end. A caller's busy socket is not closed. */
  began(connection: SharedSocket): () => void;
}

/**
 * Creates the shares of one listener. Unproven sockets are closed oldest first, even during a request, because a
 * request takes milliseconds.
 * @param isShared true for a proxy's address, which serves all callers. Such sockets are limited by request, and only
 * idle ones are closed.
 */
export function createConnectionShares(
  limits: ConnectionLimits,
  isShared: (address: string) => boolean,
): ConnectionShares {
  const { unauthenticatedPerNetwork, unauthenticatedPerWiderNetwork, perCaller } = limits;
  const unauthenticated = createShares({
    total: limits.unauthenticated,
    each: [unauthenticatedPerNetwork, unauthenticatedPerWiderNetwork],
  });
  const callers = createShares({ total: limits.callers, each: [perCaller] });
  const proxied = createShares({ total: limits.callers, each: [limits.callers] });
  interface State {
    requests: number;
    isProxy: boolean;
    caller?: string;
    release: () => void;
  }
  const states = new Map<SharedSocket, State>();

  return {
    opened: (connection) => {
      const address = connection.remoteAddress ?? "";
      const { narrow, wide } = networksOf(address);
      const state: State = { requests: 0, isProxy: isShared(address), release: () => undefined };
      const end = (): void => void connection.destroy();
      const release = state.isProxy
        ? proxied.take({ keys: ["proxy"], end, isBusy: () => state.requests > 0 })
        : unauthenticated.take({ keys: [narrow, wide], end, isBusy: () => false });
      if (release === undefined) return end();
      state.release = release;
      states.set(connection, state);
      connection.once("close", () => {
        states.delete(connection);
        state.release();
      });
    },
    proved: (connection, caller) => {
      const state = states.get(connection);
      if (state === undefined || state.isProxy || state.caller === caller) return;
      state.release();
      state.caller = caller;
      const end = (): void => void connection.destroy();
      const release = callers.take({ keys: [caller], end, isBusy: () => state.requests > 0 });
      // If all other sockets of this caller are busy too, this one is not counted. Limits on requests still apply.
      state.release = release ?? (() => undefined);
    },
    began: (connection) => {
      const state = states.get(connection);
      if (state !== undefined) state.requests += 1;
      return () => {
        if (state !== undefined) state.requests -= 1;
      };
    },
  };
}
