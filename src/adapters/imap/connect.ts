import type { ImapFlow } from "imapflow";
import type { Secret } from "../../core/shared/secret.ts";

export interface ImapSettings {
  host: string;
  port: number;
  /** `none` sends the password unencrypted, for a server on this machine. */
  tls: "implicit" | "starttls" | "none";
  username: string;
  password: Secret;
  mailbox: string;
}

/** Milliseconds and bytes. */
const limits = {
  connectMs: 30_000,
  greetingMs: 15_000,
  /** Silence after which a connection counts as dead. Longer than the pause between two rounds. */
  silenceMs: 120_000,
  /** The longest response without a message, enough for the UIDs of a million messages. */
  lineBytes: 16 * 1024 * 1024,
} as const;

/**
 * Connects and signs in. Loads imapflow on first use.
 * @throws imapflow's errors
 */
export async function connect(
  { host, port, tls, username, password }: ImapSettings,
  literalBytes: number,
  signal?: AbortSignal,
): Promise<ImapFlow> {
  const { ImapFlow } = await import("imapflow");
  const client = new ImapFlow({
    host,
    port,
    secure: tls === "implicit",
    ...(tls !== "implicit" && { doSTARTTLS: tls === "starttls" }),
    auth: { user: username, pass: password.reveal() },
    clientInfo: { name: "Countersign" },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.greetingMs,
    socketTimeout: limits.silenceMs,
    maxLineLength: limits.lineBytes,
    maxLiteralSize: literalBytes,
    maxResponseSize: literalBytes + limits.lineBytes,
  });
  // Every failure also fails the running command or closes the connection. An unhandled error event would end the
  // process.
  client.on("error", () => undefined);
  const giveUp = (): void => client.close();
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    await client.connect();
  } catch (error) {
    client.close();
    throw error;
  } finally {
    signal?.removeEventListener("abort", giveUp);
  }
  return client;
}
