import { networksOf } from "../core/network-limits/network.ts";
import { createShares } from "../core/network-limits/shares.ts";
import type { SmtpLimits } from "./limits.ts";

interface Client {
  id: string;
  remoteAddress: string;
}

/** The reason for closing a connection. Undefined if the client may stay. */
type Refusal = string | undefined;

interface Connection {
  network: string;
  /** The time of the greeting or of the last stored message. */
  since: number;
  deadline: Timer;
  wrongRecipients: number;
  /** Commands since the last DATA, without RCPT and of RCPT alone. */
  commands: number;
  recipients: number;
  /** The start of the running message. */
  dataSince: number | undefined;
  release: () => void;
}

/**
 * Creates the guard for limits that smtp-server lacks: connections per network, time without a finished message,
 * commands without a message, and recipient probing. The time limit of smtp-server itself restarts with every byte.
 * @param end closes the connection with this id and gives the reason
 * @param now a monotonic clock in milliseconds
 */
export function createGuard(
  end: (id: string, reason: string) => void,
  limits: SmtpLimits,
  now: () => number = () => performance.now(),
) {
  const connections = new Map<string, Connection>();
  const unreserved = createShares({ total: limits.connections, each: [limits.connections] });
  const proven = createShares({ total: limits.reserved, each: [limits.reservedPerNetwork] });
  const deliveredAt = new Map<string, number>();

  function hasDelivered(network: string): boolean {
    const at = deliveredAt.get(network);
    return at !== undefined && now() - at <= limits.provenMs;
  }

  function remember(network: string): void {
    // A map keeps the order of insertion, so inserting it again makes it the newest.
    deliveredAt.delete(network);
    deliveredAt.set(network, now());
    const [oldest] = deliveredAt.keys();
    if (deliveredAt.size > limits.proven && oldest !== undefined) deliveredAt.delete(oldest);
  }

  function deadlineOf(id: string, since: number, limitMs: number): Timer {
    const late = (): void => end(id, "Timed out");
    return setTimeout(late, since + limitMs - now()).unref();
  }

  /** Takes a connection slot: a reserved one for networks that delivered before, or a shared one. */
  function takePlace({ id, remoteAddress }: Client): (() => void) | undefined {
    const { narrow, wide } = networksOf(remoteAddress);
    const isBusy = (): boolean => {
      const since = connections.get(id)?.dataSince;
      return since !== undefined && now() - since <= limits.busyMs;
    };
    const kept = { keys: [narrow], end: () => undefined, isBusy: () => true };
    const reserved = hasDelivered(narrow) ? proven.take(kept) : undefined;
    const leave = (): void => end(id, "Connection needed for other senders, try again later");
    return reserved ?? unreserved.take({ keys: [wide], end: leave, isBusy });
  }

  return {
    connected: (client: Client): Refusal => {
      const { narrow: network } = networksOf(client.remoteAddress);
      const own = [...connections.values()].filter((one) => one.network === network);
      if (own.length >= limits.connectionsPerAddress)
        return "Too many connections from this network";
      const release = takePlace(client);
      if (release === undefined) return "Too many messages at once, try again later";
      const since = now();
      connections.set(client.id, {
        network,
        since,
        deadline: deadlineOf(client.id, since, Math.min(limits.envelopeMs, limits.messageMs)),
        wrongRecipients: 0,
        commands: 0,
        recipients: 0,
        dataSince: undefined,
        release,
      });
      return undefined;
    },
    /** Counts a command. A message may have many recipients, known and unknown ones. */
    said: (id: string, command: string): void => {
      const connection = connections.get(id);
      if (connection === undefined) return;
      if (command === "RCPT") connection.recipients += 1;
      else connection.commands += 1;
      const isIdle =
        connection.commands > limits.idleCommands || connection.recipients > limits.recipientTries;
      if (isIdle) end(id, "Too many commands without a message");
    },
    /** Records the start of a message. Its time limit counts from the last stored message, also after refusals. */
    begun: ({ id }: Client): void => {
      const connection = connections.get(id);
      if (connection === undefined) return;
      connection.commands = 0;
      connection.recipients = 0;
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
    /** Counts an unknown recipient. Returns true if the limit is reached. */
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
