import { networksOf } from "./network.ts";
import { createShares } from "./shares.ts";

/** Sockets that a listener holds at most. None can be switched off. */
export interface ConnectionLimits {
  /** Those that have proved nothing yet: from one network, from a wider one, and from all. */
  strangersPerNetwork: number;
  strangersPerWiderNetwork: number;
  strangers: number;
  /** Those whose last proof was one caller's, and those of all callers. */
  perCaller: number;
  callers: number;
}

/** The part of a socket that counts here. */
export interface Connection {
  readonly remoteAddress?: string | undefined;
  destroy(): unknown;
  once(event: "close", listener: () => void): unknown;
}

/** Which sockets a listener keeps open, so that idle or unknown ones never take the place of those who proved themselves. */
export interface ConnectionShares {
  opened(connection: Connection): void;
  /** Notes that a request on it showed a caller's secret or session. */
  proved(connection: Connection, caller: string): void;
  /** Notes that a request on it began, and returns what notes its end: what is in use by a caller is not closed. */
  began(connection: Connection): () => void;
}

/**
 * Creates the shares of one listener. Strangers are closed the oldest first, whatever they are doing: a request takes
 * milliseconds, and whoever holds a socket longer without a proof is waiting for nothing.
 * @param isShared whether connections from this address are a proxy's, which carry everybody: those are counted
 * by request, and here only the idle ones are closed, when there are too many
 */
export function createConnectionShares(
  limits: ConnectionLimits,
  isShared: (address: string) => boolean,
): ConnectionShares {
  const { strangersPerNetwork, strangersPerWiderNetwork, perCaller } = limits;
  const strangers = createShares({
    total: limits.strangers,
    each: [strangersPerNetwork, strangersPerWiderNetwork],
  });
  const callers = createShares({ total: limits.callers, each: [perCaller] });
  const proxied = createShares({ total: limits.callers, each: [limits.callers] });
  interface State {
    requests: number;
    isProxy: boolean;
    caller?: string;
    release: () => void;
  }
  const states = new Map<Connection, State>();

  return {
    opened: (connection) => {
      const address = connection.remoteAddress ?? "";
      const { narrow, wide } = networksOf(address);
      const state: State = { requests: 0, isProxy: isShared(address), release: () => undefined };
      const end = (): void => void connection.destroy();
      const release = state.isProxy
        ? proxied.take({ keys: ["proxy"], end, isBusy: () => state.requests > 0 })
        : strangers.take({ keys: [narrow, wide], end, isBusy: () => false });
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
      // All the caller's others are in use, and so is this: the bounds of requests hold.
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
