import { networksOf } from "../core/limits/network.ts";
import { createShares } from "../core/limits/shares.ts";
import type { SmtpLimits } from "./limits.ts";

interface Client {
  id: string;
  remoteAddress: string;
}

/** Why a client is sent away; `undefined` if it may stay. */
type Refusal = string | undefined;

interface Connection {
  network: string;
  /** The greeting, or the last message that was kept. */
  since: number;
  deadline: Timer;
  wrongRecipients: number;
  /** Since the last DATA. */
  commands: number;
  /** Begin of the message under way. */
  dataSince: number | undefined;
  release: () => void;
}

/**
 * Bounds what smtp-server does not: the connections of a network, the time without a finished message (its own limit is of
 * silence, which a byte a minute avoids), commands that lead to no message, and recipients that are tried out.
 * @param end closes the connection of this id, and says why
 * @param now milliseconds of a clock that only goes forward
 */
export function createGuard(
  end: (id: string, reason: string) => void,
  limits: SmtpLimits,
  now: () => number = () => performance.now(),
) {
  const connections = new Map<string, Connection>();
  const strangers = createShares({ total: limits.connections, each: [limits.connections] });
  const proven = createShares({ total: limits.reserved, each: [limits.reservedPerNetwork] });
  const deliveredAt = new Map<string, number>();

  function hasDelivered(network: string): boolean {
    const at = deliveredAt.get(network);
    return at !== undefined && now() - at <= limits.provenMs;
  }

  function remember(network: string): void {
    // A map keeps the order of insertion: putting it back makes this the newest.
    deliveredAt.delete(network);
    deliveredAt.set(network, now());
    const [oldest] = deliveredAt.keys();
    if (deliveredAt.size > limits.proven && oldest !== undefined) deliveredAt.delete(oldest);
  }

  function deadlineOf(id: string, since: number, limitMs: number): Timer {
    const late = (): void => end(id, "This takes too long");
    return setTimeout(late, since + limitMs - now()).unref();
  }

  /** A place among those kept for networks that delivered before, or one of all. */
  function takePlace({ id, remoteAddress }: Client): (() => void) | undefined {
    const { narrow, wide } = networksOf(remoteAddress);
    const isBusy = (): boolean => {
      const since = connections.get(id)?.dataSince;
      return since !== undefined && now() - since <= limits.busyMs;
    };
    const kept = { keys: [narrow], end: () => undefined, isBusy: () => true };
    const reserved = hasDelivered(narrow) ? proven.take(kept) : undefined;
    const leave = (): void => end(id, "Others need this place, try again later");
    return reserved ?? strangers.take({ keys: [wide], end: leave, isBusy });
  }

  return {
    connected: (client: Client): Refusal => {
      const { narrow: network } = networksOf(client.remoteAddress);
      const own = [...connections.values()].filter((one) => one.network === network);
      if (own.length >= limits.connectionsPerAddress) return "Too many connections from there";
      const release = takePlace(client);
      if (release === undefined) return "Too many messages at once, try again later";
      const since = now();
      connections.set(client.id, {
        network,
        since,
        deadline: deadlineOf(client.id, since, Math.min(limits.envelopeMs, limits.messageMs)),
        wrongRecipients: 0,
        commands: 0,
        dataSince: undefined,
        release,
      });
      return undefined;
    },
    /** A command has come; RCPT has bounds of its own. */
    said: (id: string, command: string): void => {
      const connection = connections.get(id);
      if (connection === undefined || command === "RCPT") return;
      connection.commands += 1;
      if (connection.commands > limits.idleCommands) end(id, "Too many commands without a message");
    },
    /** A message begins: its time runs from the last one that was kept, whatever was refused in between. */
    begun: ({ id }: Client): void => {
      const connection = connections.get(id);
      if (connection === undefined) return;
      connection.commands = 0;
      connection.dataSince = now();
      clearTimeout(connection.deadline);
      connection.deadline = deadlineOf(id, connection.since, limits.messageMs);
    },
    ended: ({ id }: Client, isKept: boolean): void => {
      const connection = connections.get(id);
      if (connection === undefined) return;
      connection.dataSince = undefined;
      if (!isKept) return;
      remember(connection.network);
      connection.since = now();
      clearTimeout(connection.deadline);
      connection.deadline = deadlineOf(id, connection.since, limits.envelopeMs);
    },
    /** True if it has been too often. */
    guessed: ({ id }: Client): boolean => {
      const connection = connections.get(id);
      if (connection === undefined) return true;
      connection.wrongRecipients += 1;
      return connection.wrongRecipients > limits.wrongRecipients;
    },
    closed: ({ id }: Client): void => {
      const connection = connections.get(id);
      clearTimeout(connection?.deadline);
      connection?.release();
      connections.delete(id);
    },
  };
}

type Timer = ReturnType<typeof setTimeout>;
