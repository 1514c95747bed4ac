import type { SmtpLimits } from "./limits.ts";

interface Client {
  id: string;
  remoteAddress: string;
}

/** Why a client is sent away; `undefined` where it may stay. */
type Refusal = string | undefined;

/**
 * What smtp-server does not bound: connections of one address, the time without a finished message (its own limit is of
 * silence, which a byte a minute avoids), and recipients that are tried out.
 * @param end closes the connection of this id
 */
export function createGuard(end: (id: string) => void, limits: SmtpLimits) {
  const connections = new Map<string, { address: string; deadline: Timer; wrong: number }>();

  function deadlineOf(id: string): Timer {
    return setTimeout(() => end(id), limits.messageMs).unref();
  }

  return {
    connected: ({ id, remoteAddress: address }: Client): Refusal => {
      const others = [...connections.values()].filter((one) => one.address === address);
      if (others.length >= limits.connectionsPerAddress) return "Too many connections from there";
      connections.set(id, { address, deadline: deadlineOf(id), wrong: 0 });
      return undefined;
    },
    /** A message is through: the next one has its own time. */
    finished: ({ id }: Client): void => {
      const connection = connections.get(id);
      if (connection === undefined) return;
      clearTimeout(connection.deadline);
      connection.deadline = deadlineOf(id);
    },
    /** True where it has been too often. */
    guessed: ({ id }: Client): boolean => {
      const connection = connections.get(id);
      if (connection === undefined) return true;
      connection.wrong += 1;
      return connection.wrong > limits.wrongRecipients;
    },
    closed: ({ id }: Client): void => {
      clearTimeout(connections.get(id)?.deadline);
      connections.delete(id);
    },
  };
}

type Timer = ReturnType<typeof setTimeout>;
